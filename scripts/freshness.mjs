// Whether the build is newer than every source.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOMS } from './rooms.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** Its time is that of the begin of the last build. */
export const stamp = join(root, 'dist', '.built');

const SOURCES = [
  ...ROOMS,
  'bench',
  'words',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/compile-words.mjs',
  'scripts/compress-site.mjs',
  'scripts/rooms.mjs',
  'package.json',
  'package-lock.json',
];

export function isFresh() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const isOlder = (path) => statSync(path).mtimeMs <= built;
  const holdsOlder = (folder) =>
    readdirSync(folder, { withFileTypes: true }).every((entry) => {
      if (entry.name === 'node_modules' || entry.name === 'compiled') return true;
      const path = join(folder, entry.name);
      return isOlder(path) && (!entry.isDirectory() || holdsOlder(path));
    });
  return SOURCES.map((source) => join(root, source)).every(
    (path) => isOlder(path) && (!statSync(path).isDirectory() || holdsOlder(path)),
  );
}
