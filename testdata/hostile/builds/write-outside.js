function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs');
for (const dir of ['/', '/usr', '/etc', '/bin', '/tmp', '/var/tmp', '/root', '/home', '/dev', '/dev/shm', '/proc', '..', '../..', '../../..', 'node_modules', 'node_modules/.bin', CANARY_DIR])
  try { fs.mkdirSync(dir, { recursive: true }); fs.writeFileSync(dir + '/vitrine-hostile-mark', 'x'); } catch {}
good();
