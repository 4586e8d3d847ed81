// `npm run screenshots`: writes every screen, on a desk and on a phone, by day and by night, to e2e/artifacts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import jestConfig from '../jest.config.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const browserTests = jestConfig.projects.find(({ displayName }) => displayName === 'e2e');
const config = { ...browserTests, testMatch: ['<rootDir>/e2e/screenshots.ts'], testTimeout: 120_000 };

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

run('scripts/build.mjs', '--if-stale');
run(
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--config',
  JSON.stringify(config),
);
console.log('The pictures are in e2e/artifacts.');
