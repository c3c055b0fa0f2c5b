const fs = require('fs'); const f = fs.openSync('big', 'w'); const b = Buffer.alloc(1 << 20, 1);
for (let i = 0; i < 10240; i++) fs.writeSync(f, b);
