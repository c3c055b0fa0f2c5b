const { defineConfig } = require('@playwright/test')
const url = `http://localhost:${process.env.EVAL_PROJECT_PORT}`
module.exports = defineConfig({
  testDir: './test',
  timeout: 20_000,
  expect: { timeout: 2_000 },
  use: { baseURL: url },
  webServer: { command: 'node serve.cjs', url },
})
