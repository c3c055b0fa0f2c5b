const fs = require('fs'); fs.writeFileSync('big', ''); fs.truncateSync('big', 10 * 2 ** 30);
