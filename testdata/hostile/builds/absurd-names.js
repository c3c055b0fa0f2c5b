function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); good();
for (const name of ['..\\..\\x', '%2e%2e%2fx', 'a\nb', 'a\0b', '-rf', '\u202egnp.exe', '?', '#', 'x'.repeat(255), ' ', 'con', '\ud800']) try { fs.writeFileSync('dist/' + name, 'x'); } catch {}
