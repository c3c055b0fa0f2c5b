const fs = require('fs');
for (let d = 0; d < 1000; d++) { fs.mkdirSync('d' + d); for (let i = 0; i < 1000; i++) fs.writeFileSync('d' + d + '/' + i, ''); }
