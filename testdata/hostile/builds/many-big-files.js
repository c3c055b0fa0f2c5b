const fs = require('fs'); const b = Buffer.alloc(1 << 20, 1);
for (let i = 0; i < 10240; i++) fs.writeFileSync('part' + i, b);
