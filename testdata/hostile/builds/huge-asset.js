function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good(); const zlib = require('zlib');
fs.writeFileSync('dist/bomb.gz', zlib.gzipSync(Buffer.alloc(200 << 20)));
for (let i = 0; i < 60; i++) fs.writeFileSync('dist/' + i + '.bin', Buffer.alloc(1 << 20, i));
