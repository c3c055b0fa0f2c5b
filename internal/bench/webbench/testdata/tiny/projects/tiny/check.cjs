// A build that fails for a page without a heading.
const page = require('fs').readFileSync(process.env.EVAL_PROJECT_ROOT + '/index.html', 'utf8')
if (!page.includes('<h1>')) {
  console.error('index.html has no heading')
  process.exit(1)
}
