function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); const seen = [];
for (const path of ['/etc/passwd', '/etc/shadow', '/root', '/home', '/var/log', '/proc/1/environ', '/proc/1/root/etc/passwd', '/sys/class', '/dev/kmsg', '/dev/vda', CANARY_DIR])
  try { const s = fs.statSync(path).isDirectory() ? fs.readdirSync(path).join() : fs.readFileSync(path, 'latin1'); if (s && !(path === '/proc/1/environ' && !/VITRINE_CANARY/.test(s))) seen.push(path); } catch {}
if (process.env.VITRINE_CANARY) seen.push('environment');
if (seen.length) throw new Error('LEAKED ' + seen);
good();
