const { test, expect } = require('@playwright/test')
const { open } = require('@web-bench/test-util')
test.beforeEach(({ page }) => open(page))
test('on', async ({ page }) => {
  await page.locator('button').click()
  await expect(page.locator('button')).toHaveText('on', { timeout: 50 })
})
test('off again', async ({ page }) => {
  await page.locator('button').dblclick()
  await expect(page.locator('button')).toHaveText('off')
})
