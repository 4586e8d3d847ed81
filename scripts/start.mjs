// `npm start`: builds what has changed, then runs the whole product in this process.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { staleParts } from './freshness.mjs';

/** How often it is looked whether npm is still there, in milliseconds. */
const LOOK_EVERY = 500;

/** The shell that npm runs this in, and npm itself; elsewhere than on Linux, what runs this alone. */
function startedBy() {
  const shell = process.ppid;
  try {
    return `${shell} ${/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${shell}/stat`, 'utf8'))?.[1]}`;
  } catch {
    return `${shell}`;
  }
}

// npm hands a signal to its shell alone, and a killed npm hands on nothing: the product ends with either.
if (process.env.npm_lifecycle_event === 'start') {
  const starter = startedBy();
  const watch = setInterval(() => {
    if (startedBy() === starter) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY);
  watch.unref();
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Lectern needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}
if (staleParts().length > 0) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  if (spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' }).status !== 0) process.exit(1);
}
await import('../dist/embedded/start.js');
