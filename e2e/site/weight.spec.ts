import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { packageRoot } from '#platform/package-root.js';

const site = join(packageRoot(), 'dist', 'client');
const chunkSchema = z.object({
  file: z.string(),
  isEntry: z.boolean().default(false),
  imports: z.array(z.string()).default([]),
});
const chunks = z
  .record(z.string(), chunkSchema)
  .parse(JSON.parse(readFileSync(join(site, '.vite/manifest.json'), 'utf8')));

/** The files of all scripts that have to be there before a page can be drawn. */
function scriptsOf(page: string): string[] {
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    chunks[name]?.imports.forEach(add);
  };
  Object.keys(chunks)
    .filter((name) => chunks[name]?.isEntry || name.endsWith(`features/${page}.tsx`))
    .forEach(add);
  return [...seen].map((name) => chunks[name]?.file ?? '');
}

const contentOf = (file: string) => readFileSync(join(site, file));

/** kB of scripts, gzipped, that nobody may exceed without knowing: what a reader's pages weigh, and a little. */
describe.each([
  ['home/home-page', 133],
  ['catalogue/catalogue-page', 136],
  ['book/book-page', 133],
  ['cart/cart-page', 130],
  ['login/login-page', 148],
  ['profile/profile-page', 144],
])('what has to be loaded before %s is drawn', (page, limit) => {
  const scripts = scriptsOf(page);

  it(`weighs at most ${limit} kB`, () => {
    expect(scripts.length).toBeGreaterThan(2);
    const bytes = scripts.reduce((sum, file) => sum + gzipSync(contentOf(file)).length, 0);
    expect(bytes / 1000).toBeLessThanOrEqual(limit);
  });

  it('has no schema library, live connection, toasts or menus in it', () => {
    const all = scripts.map((file) => contentOf(file).toString()).join('\n');
    expect(all).not.toMatch(/\b_zod\b|engine\.io|Toastify__|data-radix-menu/);
  });

  it('lies there compressed', () => {
    for (const file of scripts.filter((each) => contentOf(each).length > 1_000)) {
      expect(existsSync(join(site, `${file}.br`))).toBe(true);
      expect(existsSync(join(site, `${file}.gz`))).toBe(true);
    }
  });
});
