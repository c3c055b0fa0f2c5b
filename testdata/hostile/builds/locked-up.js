function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good(); fs.mkdirSync('dist/a/b', { recursive: true }); fs.writeFileSync('dist/a/b/c', 'x');
fs.chmodSync('dist/a/b', 0); fs.chmodSync('dist/a', 0); require('child_process').execSync('mkfifo dist/pipe; chmod 0 dist/index.html || true'); fs.chmodSync('.', 0);
