// Builds the server side (tsc, then rolldown) and the site (Vite) into dist/. With --if-stale it does so only
// when a source file is newer than the last build.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileWords, LOCALES } from './compile-words.mjs';
import { compressSite } from './compress-site.mjs';
import { isFresh, root, stamp } from './freshness.mjs';

function run(name, bin, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', bin), ...args], {
      cwd: root,
      // Whoever builds: under another name React's own checks for developers would be in the site.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} failed\n${output}`))));
  });
}

/** One after the other, as each takes the memory of a browser. */
async function buildSites() {
  for (const locale of LOCALES) {
    const args = ['build', 'client', '--mode', locale, '--logLevel', 'warn'];
    await run(`client build (${locale})`, 'vite/bin/vite.js', args);
  }
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);
if (!existsSync(join(root, 'node_modules/typescript-7'))) {
  console.error('The build needs the development packages: run `npm ci` without --omit=dev.');
  process.exit(1);
}
let began;
try {
  // First, as it writes beside the words, which are sources.
  await compileWords();
  began = new Date();
  // A leftover of a removed source must not be loaded by the next run.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  cpSync(join(root, 'words/compiled'), join(root, 'dist/words'), { recursive: true });
  await Promise.all([
    run('server build', 'typescript-7/bin/tsc', ['-p', 'tsconfig.build.json'])
      .then(() => import('./bundle.mjs'))
      .then(({ bundle }) => bundle()),
    buildSites().then(() => compressSite(join(root, 'dist', 'client'))),
  ]);
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
