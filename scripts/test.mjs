// `npm test`: checks, build, then every jest project. The last line is `N passed, N failed[, N skipped]`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'lectern-test-'));
const report = join(scratch, 'jest.json');
const tally = { passed: 0, failed: 0, skipped: 0 };

function step(args, env = {}) {
  return (
    spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
      .status === 0
  );
}

try {
  for (const script of ['scripts/check.mjs', 'scripts/build.mjs']) {
    if (step([script])) tally.passed += 1;
    else tally.failed += 1;
  }
  const ran = step([
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ]);
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
