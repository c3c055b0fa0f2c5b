const { expect } = require('@playwright/test')
exports.open = async (page) => expect((await page.goto('/')).ok()).toBe(true)
