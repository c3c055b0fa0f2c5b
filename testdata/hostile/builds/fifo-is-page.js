const fs = require('fs'); fs.mkdirSync('dist'); require('child_process').execSync('mkfifo dist/index.html');
