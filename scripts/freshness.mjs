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

/** A hash of all sources of a part. */
export const sourcesOf = (part) => SOURCES[part].map((path) => hashOf(join(root, path))).join('\n');

/** The parts that were never built, or whose sources have changed since. */
export function staleParts() {
  return PARTS.filter(
    (part) => !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== sourcesOf(part),
  );
}

/** Notes that a part is built. @param sources its hash as the build began */
export function stamp(part, sources) {
  writeFileSync(stampOf(part), sources);
}
