// `npm run test:nodes [-- 24 …]`: the tests of what is committed on other releases of Node, 22 and 24 where none is
// named. Each runs in a clone of its own below the system's folder for temporary files, with a Node from npm's package
// `node` and packages that this Node installed. The last line is `N passed, N failed`, of releases.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRelease = (word) => /^\d+(\.\d+){0,2}$/.test(word);
const words = process.argv.slice(2);
const releases = words.some(isRelease) ? words.filter(isRelease) : ['22', '24'];
const options = words.filter((word) => !isRelease(word));
const scratch = mkdtempSync(join(tmpdir(), 'lectern-nodes-'));
// Where root runs this, PostgreSQL runs as another user and has to come in.
chmodSync(scratch, 0o755);

function run(program, args, cwd, path = process.env.PATH) {
  // What this Node's npm tells its scripts is nothing for another one's.
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE|INIT_CWD)/.test(name));
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: 'inherit',
    env: { ...Object.fromEntries(own), PATH: path },
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  return status === 0;
}

/** @returns whether all of its tests passed */
function testOn(release) {
  const folder = join(scratch, `node-${release}`);
  const project = join(folder, 'lectern');
  const hasProject = run('git', ['clone', '--quiet', '--no-hardlinks', root, project], scratch);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const hasNode = run('npm', ['install', '--no-audit', '--no-fund', `node@${release}`], folder);
  if (!hasProject || !hasNode) return false;
  const path = [join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  console.log(`\nOn Node ${release}:`);
  return (
    run('node', ['--version'], project, path) &&
    run('npm', ['ci'], project, path) &&
    run('node', ['scripts/test.mjs', '--without-checks', ...options], project, path)
  );
}

const outcomes = [];
try {
  for (const release of releases) outcomes.push([release, testOn(release)]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const [release, passed] of outcomes) console.log(`Node ${release}: ${passed ? 'passed' : 'FAILED'}`);
const passed = outcomes.filter(([, each]) => each).length;
console.log(`${passed} passed, ${outcomes.length - passed} failed`);
process.exitCode = passed === outcomes.length ? 0 : 1;
