// Says in one line how many tests passed. The word tells the line from what an answer
// prints. It is read and removed before any code of an answer runs.
const fs = require('fs');
const word = fs.readFileSync('/build/word', 'utf8');
fs.unlinkSync('/build/word');
const write = fs.writeSync;

class Reporter {
  onRunComplete(_, results) {
    const suite = results.testResults[0] || {};
    const failed = (suite.testResults || []).find((t) => t.status !== 'passed');
    const message = failed ? `${failed.title}: ${(failed.failureMessages || []).join(' ')}` : suite.failureMessage || '';
    const plain = message.replace(/\u001b\[[0-9;]*m/g, '').replace(/\s+/g, ' ').slice(0, 400);
    write(1, `\n${word} ${JSON.stringify({passed: results.numPassedTests, total: results.numTotalTests, message: plain})}\n`);
  }
}
module.exports = Reporter;
