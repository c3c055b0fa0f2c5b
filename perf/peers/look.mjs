// look shows a page and takes three full-page frames, a second apart, as reward servers
// do. It returns their size in bytes.
export async function look(context, url) {
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'load', timeout: 30_000 })
  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => {})
  let bytes = 0
  for (let frame = 0; frame < 3; frame++) {
    if (frame > 0) await page.waitForTimeout(1000)
    bytes += (await page.screenshot({ fullPage: true })).length
  }
  return bytes
}
