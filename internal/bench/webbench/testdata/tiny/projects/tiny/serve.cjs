const http = require('http'), fs = require('fs'), path = require('path')
http.createServer((request, response) => {
  const name = request.url === '/' ? '/index.html' : request.url
  fs.readFile(path.join(process.env.EVAL_PROJECT_ROOT, name), (error, content) => {
    response.writeHead(error ? 404 : 200, { 'content-type': name.endsWith('.js') ? 'text/javascript' : 'text/html' }).end(content)
  })
}).listen(process.env.EVAL_PROJECT_PORT, 'localhost')
