// Types, lint, dependency rules, format and what is unused, two at a time. Exits non-zero when any of them complains.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { compileWords } from './compile-words.mjs';
import { ROOMS } from './rooms.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const CRUISE = 'dependency-cruiser/bin/dependency-cruise.mjs';
// The longest first, so that nothing long is left for the end.
const steps = [
  // Of every file, by the configuration that is next to it: the compiler would read all of them a second time.
  [
    'types, and lint with them',
    'oxlint/bin/oxlint',
    ['--type-aware', '--type-check', '--deny-warnings', '.'],
  ],
  // By the build's configuration, knip finds the sources of what is imported by its compiled name.
  ['nothing unused', 'knip/bin/knip.js', ['--no-progress', '--tsConfig', 'tsconfig.build.json']],
  [
    'dependency rules',
    CRUISE,
    ['--config', '.dependency-cruiser.cjs', ...ROOMS, 'bench', 'e2e', 'test-support'],
  ],
  // What the client shares with the server holds by the client's configuration too.
  ['types of what is shared', 'typescript-7/bin/tsc', ['-p', 'client/tsconfig.shared.json']],
  ['no cycles of rooms', CRUISE, ['--config', '.dependency-cruiser-folders.cjs', ...ROOMS]],
  ['words', '../scripts/check-words.mjs', []],
  ['format', 'oxfmt/bin/oxfmt', ['--check', '.']],
];

let failed = 0;

async function run([name, bin, args]) {
  const started = Date.now();
  const child = spawn(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Told in one piece when it has ended: two may be at work.
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.stdout.write(output);
  console.log(
    `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (code !== 0) failed += 1;
}

async function work() {
  for (let step = steps.shift(); step; step = steps.shift()) await run(step);
}

await compileWords();
await Promise.all([work(), work()]);
process.exit(failed === 0 ? 0 : 1);
