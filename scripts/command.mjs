// Runs a command line of the product, built when a source is newer than the build:
// `node scripts/command.mjs cli/import.js FILE.csv`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isFresh } from './freshness.mjs';

if (!isFresh()) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) process.exit(1);
}
const [command] = process.argv.splice(2, 1);
process.argv[1] = fileURLToPath(new URL(`../dist/${command}`, import.meta.url));
await import(new URL(`../dist/${command}`, import.meta.url).href);
