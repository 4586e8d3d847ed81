// Runs a command line of the product, built where a source has changed since:
// `node scripts/command.mjs cli/import.js FILE.csv`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { staleParts } from './freshness.mjs';

if (staleParts().length > 0) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  if (spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' }).status !== 0) process.exit(1);
}
const [command] = process.argv.splice(2, 1);
process.argv[1] = fileURLToPath(new URL(`../dist/${command}`, import.meta.url));
await import(new URL(`../dist/${command}`, import.meta.url).href);
