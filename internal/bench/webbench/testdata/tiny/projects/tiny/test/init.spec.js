const { test, expect } = require('@playwright/test')
test('heading', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('h1')).toHaveText('Lamp')
})
