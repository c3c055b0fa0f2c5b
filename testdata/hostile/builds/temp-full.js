const fs = require('fs'); const b = Buffer.alloc(1 << 20, 1);
for (const dir of ['/tmp', '/dev/shm']) for (let i = 0; i < 4000; i++) fs.writeFileSync(dir + '/f' + i, b);
