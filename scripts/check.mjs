// Types, lint, dependency rules, format, what is unused, and whether rules can fail at all: two at a time. Exits non-zero when any
// of them complains.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { compileWords } from './compile-words.mjs';
import { processorTimeOfEnded } from './processor-time.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SHARED = 'node_modules/.cache/lectern/shared.tsbuildinfo';
// The longest first, so that nothing long is left for the end.
const steps = [
  // Of every file, by the configuration that is next to it: the compiler would read all of them a second time.
  [
    'types, and lint with them',
    'node_modules/oxlint/bin/oxlint',
    ['--type-aware', '--type-check', '--deny-warnings', '.'],
  ],
  ['dependency rules', 'scripts/dependencies.mjs', []],
  // By the build's configuration, knip finds the sources of what is imported by its compiled name. Its cache does not notice that
  // an imported file was removed: types and dependency rules do.
  [
    'nothing unused',
    'node_modules/knip/bin/knip.js',
    ['--no-progress', '--cache', '--tsConfig', 'tsconfig.build.json'],
  ],
  // What the client shares with the server holds by the client's configuration too.
  [
    'types of what is shared',
    'node_modules/typescript-7/bin/tsc',
    ['-p', 'client/tsconfig.shared.json', '--incremental', '--tsBuildInfoFile', SHARED],
  ],
  ['rules find seeded breaches', 'scripts/seeded-breaches.mjs', []],
  ['words', 'scripts/check-words.mjs', []],
  ['format', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.']],
];

let failed = 0;

async function run([name, bin, args]) {
  const started = Date.now();
  const child = spawn(process.execPath, [join(root, bin), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Told in one piece when it has ended: two may be at work.
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  let busy = 0;
  child.once('exit', () => (busy = processorTimeOfEnded()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.stdout.write(output);
  const took = `${seconds(Date.now() - started)}, of a processor ${seconds(busy)}`;
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${took})`);
  if (code !== 0) failed += 1;
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

async function work() {
  for (let step = steps.shift(); step; step = steps.shift()) await run(step);
}

await compileWords();
await Promise.all([work(), work()]);
process.exit(failed === 0 ? 0 : 1);
