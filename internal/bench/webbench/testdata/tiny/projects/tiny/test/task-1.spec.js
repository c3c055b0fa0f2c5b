const { test, expect } = require('@playwright/test')
const { open } = require('@web-bench/test-util')
test('button', async ({ page }) => {
  await open(page)
  await expect(page.locator('button')).toHaveText('off')
})
