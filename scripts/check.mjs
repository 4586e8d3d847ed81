// Types, lint, dependency rules and format. Exits non-zero when any of them complains.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = [
  ['types', 'typescript/bin/tsc', ['-p', 'tsconfig.json']],
  ['types of the client', 'typescript/bin/tsc', ['-p', 'client/tsconfig.json']],
  ['types of the browser tests', 'typescript/bin/tsc', ['-p', 'e2e/tsconfig.json']],
  ['lint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']],
  [
    'dependency rules',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    [
      '--config',
      '.dependency-cruiser.cjs',
      'contracts',
      'platform',
      'server',
      'projections',
      'embedded',
      'client',
      'bench',
      'e2e',
      'test-support',
    ],
  ],
  ['format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']],
];
let failed = 0;
for (const [name, bin, args] of steps) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
