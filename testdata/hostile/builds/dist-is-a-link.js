require('fs').symlinkSync(CANARY_DIR, 'dist');
