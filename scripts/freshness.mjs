// What each part of the build is made of, and which parts have changed since they were built.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
const OF_BOTH = [
  'words',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/compile-words.mjs',
];
const SOURCES = {
  server: [...include, ...OF_BOTH, 'tsconfig.build.json', 'scripts/bundle.mjs'],
  site: ['client', 'contracts', 'circulation', ...OF_BOTH, 'scripts/compress-site.mjs'],
};
/** What the build makes itself, and what tests alone load. */
const IGNORED = /^(compiled|node_modules|test-support)$|\.spec\.tsx?$/;

export const PARTS = Object.keys(SOURCES);
const stampOf = (part) => join(root, 'dist', `.${part}`);

/** Hashes by path: the parts share some sources. */
const hashes = new Map();

/** The hash of a file, or of the names and contents of all files in a folder. A Docker build has no tests: what is missing counts as empty. */
function hashOf(path) {
  if (!hashes.has(path)) hashes.set(path, createHash('sha256').update(contentOf(path)).digest('hex'));
  return hashes.get(path);
}

function contentOf(path) {
  if (!existsSync(path)) return '';
  if (!statSync(path).isDirectory()) return readFileSync(path);
  const names = readdirSync(path).filter((name) => !IGNORED.test(name));
  return names.map((name) => `${name} ${hashOf(join(path, name))}\n`).join('');
}

/** Files that are compiled because one of the included imports them. */
function importedAlong() {
  const compiled = join(root, 'dist/test-support');
  if (!existsSync(compiled)) return [];
  const names = readdirSync(compiled, { recursive: true }).filter((name) => name.endsWith('.js'));
  return names.map((name) => join('test-support', name.replace(/\.js$/, '.ts')));
}

/** A hash of all sources of a part, as each was when it was first asked for. */
export function sourcesOf(part) {
  const along = part === 'server' ? importedAlong() : [];
  return [...SOURCES[part], ...along].map((path) => hashOf(join(root, path))).join('\n');
}

/** The parts that were never built, or whose sources have changed since. */
export function staleParts() {
  return PARTS.filter(
    (part) => !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== sourcesOf(part),
  );
}

/** Notes that a part is built of these sources. */
export function stamp(part) {
  writeFileSync(stampOf(part), sourcesOf(part));
}
