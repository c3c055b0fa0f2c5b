function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
require('child_process').spawn('sh', ['-c', 'trap "" TERM HUP INT; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' }).unref();
require('child_process').spawn('setsid', ['sleep', '100000'], { detached: true, stdio: 'inherit' }).unref();
good();
