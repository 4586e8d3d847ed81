// Builds the server side (tsc, then rolldown) and the site (Vite) into dist/; with --if-stale, only the one whose sources have
// changed. Types are for `npm run check` to check.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, root, sourcesOf, staleParts, stamp } from './freshness.mjs';

const dist = join(root, 'dist');

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

async function buildServer() {
  await run('server build', 'typescript-7/bin/tsc', ['-p', 'tsconfig.build.json']);
  const { bundle } = await import('./bundle.mjs');
  await bundle();
}

/** One language after the other, as each takes the memory of a browser. */
async function buildSite(locales) {
  for (const locale of locales) {
    const args = ['build', 'client', '--mode', locale, '--logLevel', 'warn'];
    await run(`client build (${locale})`, 'vite/bin/vite.js', args);
  }
  const { compressSite } = await import('./compress-site.mjs');
  await compressSite(join(dist, 'client'));
}

/** A leftover of a removed source must not be loaded by the next run. */
function clear(parts) {
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    const part = name === 'client' || name === '.site' ? 'site' : 'server';
    if (parts.includes(part)) rmSync(join(dist, name), { recursive: true });
  }
}

const parts = process.argv.includes('--if-stale') ? staleParts() : PARTS;
if (parts.length === 0) process.exit(0);
if (!existsSync(join(root, 'node_modules/typescript-7'))) {
  console.error('The build needs the development packages: run `npm ci` without --omit=dev.');
  process.exit(1);
}
try {
  const { compileWords, LOCALES } = await import('./compile-words.mjs');
  await compileWords();
  clear(parts);
  // The site's build reads them there, too.
  cpSync(join(root, 'words/compiled'), join(dist, 'words'), { recursive: true });
  const builds = { server: buildServer, site: () => buildSite(LOCALES) };
  // What changes while it is built makes it stale again.
  parts.forEach(sourcesOf);
  await Promise.all(parts.map((part) => builds[part]().then(() => stamp(part))));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
