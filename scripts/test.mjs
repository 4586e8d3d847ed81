// `npm test`: builds what has changed, then runs every jest project but the drills, and the checks beside them. With a path or other
// options of jest it runs no checks. `npm run test:drills`: the drills, and every file with properties, which try many examples there.
// Says how long each part took, then under `Failed:` what failed and why. The last line is `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { processorTimeOfEnded } from './processor-time.mjs';

const SLOWEST = 12;
/** Lines of a failure that are told again at the end: the whole of it is where it happened. */
const LINES_OF_EACH = 16;
const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'lectern-test-'));
const report = join(scratch, 'jest.json');
const tally = { passed: 0, failed: 0, skipped: 0 };
const parts = [];
/** What failed, each with why. */
const failures = [];
const drills = process.argv.includes('--drills');
const options = process.argv
  .slice(2)
  .filter((option) => option !== '--drills' && option !== '--without-checks');
const checks = !drills && options.length === 0 && !process.argv.includes('--without-checks');

/**
 * @param kept its words are kept for later, instead of being shown at once
 * @param aside it takes what the others leave of the processors
 * @returns whether it succeeded, and what it said if that was kept
 */
function step(name, args, { kept = false, aside = false } = {}) {
  const began = Date.now();
  const stdio = ['inherit', kept ? 'pipe' : 'inherit', kept ? 'pipe' : 'inherit'];
  // Command lines speak the language of their terminal, and tests compare English.
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...(drills && { PROPERTY_RUNS: 'many' }) },
  });
  if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) => {
    let busy = 0;
    child.once('exit', () => (busy = processorTimeOfEnded()));
    child.once('error', ({ message }) => resolve({ name, ok: false, said: message }));
    child.once('close', (code) => {
      parts.push({ name, took: Date.now() - began, busy });
      resolve({ name, ok: code === 0, said });
    });
  });
}

try {
  count(await step('build', ['scripts/build.mjs', '--if-stale'], { kept: true }));
  if (!checks && !drills) console.log('Without the checks: `npm run check` runs them.');
  const checked = checks
    ? step('checks, beside the tests', ['scripts/check.mjs'], { kept: true, aside: true })
    : undefined;
  const ran = await step(drills ? 'drills' : 'tests', [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    ...options,
    // Three at once: a drill waits for half of its time, for what was killed or is silent. Each of its waits has a bound.
    ...(drills
      ? ['--maxWorkers=3', '--testTimeout=600000', '--filter=./test-support/jest/drills-and-properties.cjs']
      : // The last one, as it takes every word that follows for a project.
        ['--ignoreProjects', 'drills']),
  ]);
  if (checked) {
    console.log();
    count(await checked);
  }
  const result = JSON.parse(readFileSync(report, 'utf8'));
  tally.passed += result.numPassedTests;
  tally.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  tally.skipped += result.numPendingTests + result.numTodoTests;
  if (!ran.ok && tally.failed === 0) {
    tally.failed = 1;
    failures.push([ran.name, 'They ended with an error, though no test failed.']);
  }
  for (const suite of result.testResults) {
    const file = relative(root, suite.name);
    for (const test of suite.assertionResults) {
      if (test.status === 'pending' || test.status === 'todo') console.log(`skipped: ${test.fullName}`);
      if (test.status === 'failed')
        failures.push([`${file}: ${test.fullName}`, test.failureMessages.join('\n')]);
    }
    // It could not be loaded, or broke off outside of its tests.
    if (suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed'))
      failures.push([file, suite.message]);
  }
  sayTimes(result.testResults);
} catch (error) {
  failures.push(['The test run did not finish', error.message]);
  tally.failed += 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
sayFailures();
console.log(
  `${tally.passed} passed, ${tally.failed} failed${tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''}`,
);
process.exit(tally.failed === 0 ? 0 : 1);

function count({ name, ok, said }) {
  if (said) console.log(said.trimEnd());
  if (ok) tally.passed += 1;
  else {
    tally.failed += 1;
    failures.push([name, said]);
  }
}

/** Once more, at the end, where one looks first. */
function sayFailures() {
  if (failures.length === 0) return;
  console.log('\nFailed:');
  for (const [what, why] of failures) {
    const lines = stripVTControlCharacters(why).split('\n').filter(isTelling);
    const more = lines.length > LINES_OF_EACH ? ['…'] : [];
    console.log(
      [what, ...[...lines.slice(0, LINES_OF_EACH), ...more].map((line) => `    ${line}`)].join('\n'),
    );
  }
}

/** Neither empty, nor of a stack that runs through packages, nor of a check that is well. */
function isTelling(line) {
  return line.trim() !== '' && !/^\s+at .*(node_modules|node:)/.test(line) && !/^ok {4}/.test(line);
}

/** The parts with their processor time, the kinds of tests (several files are at work at once), and the slowest files. */
function sayTimes(suites) {
  const files = suites
    .map(({ name, startTime, endTime }) => ({ name: relative(root, name), took: endTime - startTime }))
    .sort((one, other) => other.took - one.took);
  const kinds = byKind(files);
  console.log('\nIt took:');
  for (const { name, took, busy } of parts)
    console.log(`${seconds(took)}  ${name}${busy > 0 ? ` (processor: ${seconds(busy).trim()})` : ''}`);
  for (const [kind, those] of kinds) {
    const sum = those.reduce((total, { took }) => total + took, 0);
    console.log(`${seconds(sum)}  in ${those.length} files: ${kind}`);
  }
  for (const { name, took } of files.slice(0, SLOWEST)) console.log(`${seconds(took)}  ${name}`);
}

function kindOf(name) {
  if (name.endsWith('.drill.spec.ts')) return 'drills';
  if (name.startsWith('client/')) return 'client';
  if (name.startsWith('e2e/')) return 'e2e';
  return name.endsWith('.int.spec.ts') ? 'integration' : 'unit';
}

function byKind(files) {
  const kinds = new Map();
  for (const file of files) {
    const kind = kindOf(file.name);
    kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
  }
  return kinds;
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1).padStart(7)} s`;
}
