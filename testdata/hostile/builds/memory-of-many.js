const { fork } = require('child_process');
if (process.argv[2]) { globalThis.hog = Buffer.alloc(300 << 20, 1); setInterval(() => {}, 1000); } else for (let i = 0; i < 3; i++) fork(__filename, ['x']);
