// `npm start`: builds when a source is newer than the build, then runs the whole product in this process.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Lectern needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}
const build = fileURLToPath(new URL('build.mjs', import.meta.url));
if (spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' }).status !== 0) process.exit(1);
await import('../dist/embedded/start.js');
