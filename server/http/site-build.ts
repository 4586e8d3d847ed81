import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#platform/package-root.js';

/** The built site: its folder, its page in each language and wording, and which build it is. */
export interface BuiltSite {
  folder: string;
  pages: ReadonlyMap<string, string>;
  /** Of the pages, which name every file that they begin with: another build has another one. */
  build: string;
}

let known: BuiltSite | null | undefined;

/** The site that this process serves; null where it was not built. */
export function builtSite(): BuiltSite | null {
  return (known ??= read(join(packageRoot(), 'dist', 'client')));
}

function read(folder: string): BuiltSite | null {
  if (!existsSync(folder)) return null;
  const pages = new Map<string, string>();
  for (const name of readdirSync(folder).toSorted()) {
    const locale = /^index\.(.+)\.html$/.exec(name)?.[1];
    if (locale !== undefined) pages.set(locale, readFileSync(join(folder, name), 'utf8'));
  }
  if (pages.size === 0) return null;
  const digest = createHash('sha256').update([...pages.values()].join(''));
  return { folder, pages, build: digest.digest('base64url').slice(0, 16) };
}
