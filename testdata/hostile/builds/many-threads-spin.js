const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) for (let i = 0; i < 8; i++) new Worker(__filename);
for (;;);
