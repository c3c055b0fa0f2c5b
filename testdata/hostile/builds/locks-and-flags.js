function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good(); fs.chmodSync('dist/index.html', 0o6777); fs.mkdirSync('dist/a/b', { recursive: true }); fs.chmodSync('dist/a/b', 0o1000); fs.chmodSync('dist/a', 0); fs.chmodSync('dist', 0o7000);
