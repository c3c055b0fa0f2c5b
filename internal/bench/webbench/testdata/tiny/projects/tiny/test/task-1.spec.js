const { test, expect } = require('@playwright/test')
const { open } = require('../../../libraries/test-util')
test('button', async ({ page }) => {
  await open(page)
  await expect(page.locator('button')).toHaveText('off')
})
