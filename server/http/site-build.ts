import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#platform/package-root.js';

/** The built site: its folder, its page, and which build it is. */
export interface BuiltSite {
  folder: string;
  page: string;
  /** Of the page, which names every file that it begins with: another build has another one. */
  build: string;
}

let known: BuiltSite | null | undefined;

/** The site that this process serves; null where it was not built. */
export function builtSite(): BuiltSite | null {
  return (known ??= read(join(packageRoot(), 'dist', 'client')));
}

function read(folder: string): BuiltSite | null {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return null;
  const page = readFileSync(file, 'utf8');
  return { folder, page, build: createHash('sha256').update(page).digest('base64url').slice(0, 16) };
}
