const { test, expect } = require('@playwright/test')
const { open } = require('@web-bench/test-util')
const { execFileSync } = require('child_process')
test.beforeEach(({ page }) => open(page))
test('on', async ({ page }) => {
  await page.locator('button').click()
  await expect(page.locator('button')).toHaveText('on', { timeout: 50 })
})
test('off again', async ({ page }) => {
  await page.locator('button').dblclick()
  await expect(page.locator('button')).toHaveText('off')
})
test('commands of packages', () => {
  expect(execFileSync('playwright', ['--version'], { encoding: 'utf8' })).toMatch(/^Version/)
})
