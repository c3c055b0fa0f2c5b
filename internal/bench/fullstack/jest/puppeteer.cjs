// Puppeteer with the browser of this machine, which the tests do not name. The sandbox
// around it is ours.
const core = require('puppeteer-core');
const plain = core.default || core;
const launch = (options = {}) => plain.launch({...options, executablePath: process.env.VITRINE_CHROMIUM, args: [...(options.args || []), '--no-sandbox', '--disable-gpu']});
module.exports = {...core, __esModule: true, launch, default: {launch, connect: (options) => plain.connect(options)}};
