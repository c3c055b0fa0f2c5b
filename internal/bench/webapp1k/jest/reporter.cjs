// Says in one line how many tests passed. The word tells the line from what an answer prints.
class Reporter {
  onRunComplete(_, results) {
    const suite = results.testResults[0] || {};
    const failed = (suite.testResults || []).find((t) => t.status !== 'passed');
    const message = failed ? `${failed.title}: ${(failed.failureMessages || []).join(' ')}` : suite.failureMessage || '';
    const plain = message.replace(/\u001b\[[0-9;]*m/g, '').replace(/\s+/g, ' ').slice(0, 400);
    process.stdout.write(`\nWORD ${JSON.stringify({passed: results.numPassedTests, total: results.numTotalTests, message: plain})}\n`);
  }
}
module.exports = Reporter;
