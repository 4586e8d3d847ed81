// `npm test`: build, then every jest project, and the checks beside them. The last line is
// `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'lectern-test-'));
const report = join(scratch, 'jest.json');
const tally = { passed: 0, failed: 0, skipped: 0 };

function count(isPassed) {
  if (isPassed) tally.passed += 1;
  else tally.failed += 1;
}

/** One after the other on what the tests leave of the machine. Told when all is over, in one piece. */
function startChecks() {
  const child = spawn(process.execPath, ['scripts/check.mjs', '--one-by-one'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** Resolves with whether it ended well. */
function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0)));
}

try {
  const checks = startChecks();
  count(await run(['scripts/build.mjs']));
  const ran = await run([
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ]);
  const checked = await checks;
  process.stdout.write(checked.output);
  count(checked.code === 0);
  const result = JSON.parse(readFileSync(report, 'utf8'));
  tally.passed += result.numPassedTests;
  tally.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  tally.skipped += result.numPendingTests + result.numTodoTests;
  if (!ran && tally.failed === 0) tally.failed = 1;
  for (const suite of result.testResults) {
    for (const test of suite.assertionResults) {
      if (test.status === 'pending' || test.status === 'todo') console.log(`skipped: ${test.fullName}`);
    }
  }
} catch (error) {
  console.error(`The test run did not finish: ${error.message}`);
  tally.failed += 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(
  `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}`,
);
process.exit(tally.failed === 0 ? 0 : 1);
