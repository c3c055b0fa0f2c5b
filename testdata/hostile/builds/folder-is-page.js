const fs = require('fs'); fs.mkdirSync('dist/index.html', { recursive: true });
