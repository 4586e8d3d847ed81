import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { LANGUAGES } from '#contracts/languages.js';
import { packageRoot } from '#platform/package-root.js';

/** kB of scripts, gzipped, that a page of a reader may wait for. */
const LIMIT = 100;
/**
 * What the pages were made of when somebody last looked at it, to say what has grown since. `KEEP_WEIGHTS=1`
 * writes it anew from the build that is there.
 */
const KEPT = join(packageRoot(), 'e2e/site/page-weights.json');
/** Bytes of a module, not yet made smaller, that are no growth worth a word. */
const LITTLE = 200;

const site = join(packageRoot(), 'dist', 'client');
const once = <Result>(make: (file: string) => Result) => {
  const made = new Map<string, Result>();
  return (file: string) => {
    const known = made.get(file) ?? make(file);
    made.set(file, known);
    return known;
  };
};
const textOf = once((file) => readFileSync(join(site, file), 'utf8'));
const gzippedSize = once((file) => gzipSync(textOf(file)).length);
const read = <Shape extends z.ZodType>(shape: Shape, path: string) =>
  shape.parse(JSON.parse(readFileSync(path, 'utf8')));

const chunksSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().default(''),
    isEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);
type Chunk = z.infer<typeof chunksSchema>[string];
/** In one language; each has files of its own. */
const builtIn = (language: string) => ({
  chunks: read(chunksSchema, join(site, `.vite/manifest.${language}.json`)),
  modules: read(weightsSchema, join(site, `.vite/modules.${language}.json`)),
});
type Built = ReturnType<typeof builtIn>;
const weightsSchema = z.record(z.string(), z.record(z.string(), z.number()));
const kept = existsSync(KEPT) ? read(weightsSchema, KEPT) : {};

/** All scripts that have to be there before a page can be drawn. */
function scriptsOf({ chunks }: Built, page: string): Chunk[] {
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    chunks[name]?.imports.forEach(add);
  };
  Object.keys(chunks)
    .filter((name) => chunks[name]?.isEntry || name.endsWith(`features/${page}.tsx`))
    .forEach(add);
  return [...seen].flatMap((name) => chunks[name] ?? []);
}

/** All modules that a reader may come to, now or later: all but what begins with the pages of staff. */
function modulesOfReaders({ chunks, modules }: Built): string[] {
  const seen = new Set<string>();
  const add = (name: string): void => {
    const chunk = chunks[name];
    if (!chunk || seen.has(name) || name.endsWith('app/staff-routes.tsx')) return;
    seen.add(name);
    [...chunk.imports, ...chunk.dynamicImports].forEach(add);
  };
  Object.keys(chunks)
    .filter((name) => chunks[name]?.isEntry)
    .forEach(add);
  return [...seen].flatMap((name) => Object.keys(modules[chunks[name]?.file ?? ''] ?? {}));
}

/** What the sheet of all pages leaves to the one of staff, as patterns of the modules' names. */
function leftToStaff(): RegExp[] {
  const sheet = readFileSync(join(packageRoot(), 'client/src/styles/site.css'), 'utf8');
  return [...sheet.matchAll(/@source not '\.\.\/([^']+)'/g)].map(([, glob = '']) => {
    const alternatives = glob.replace(/[{},]/g, (sign) => ({ '{': '(', '}': ')' })[sign] ?? '|');
    return new RegExp(`client/src/${alternatives.replaceAll('.', '\\.').replaceAll('**', '.*')}$`);
  });
}

/** What has become larger, the most first. */
function grown({ modules }: Built, scripts: readonly Chunk[]): string[] {
  return scripts
    .flatMap(({ file, name }) =>
      Object.entries(modules[file] ?? {}).map(([module, bytes]) => {
        return { module: `${module} (${name})`, more: bytes - (kept[name]?.[module] ?? 0) };
      }),
    )
    .filter(({ more }) => more > LITTLE)
    .sort((one, other) => other.more - one.more)
    .map(({ module, more }) => `${module}: ${more} bytes more`);
}

/** Messages that are long enough to be nobody else's, by their keys. */
const wordsIn = (language: string) =>
  Object.fromEntries(
    Object.entries(
      read(z.record(z.string(), z.unknown()), join(packageRoot(), `words/${language}.json`)),
    ).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && /^[^{}"'\\]{16,}$/.test(entry[1]),
    ),
  );

const PAGES = [
  'home/home-page',
  'catalogue/catalogue-page',
  'book/book-page',
  'cart/cart-page',
  'login/login-page',
  'registration/registration-page',
  'profile/profile-page',
];

const english = builtIn('en');

if (process.env['KEEP_WEIGHTS']) {
  const all = PAGES.flatMap((page) => scriptsOf(english, page)).map(({ name, file }) => [
    name,
    english.modules[file],
  ]);
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

describe.each(LANGUAGES)('what has to be loaded before a page is drawn (%s)', (language) => {
  const built = builtIn(language);
  const files = [...new Set(PAGES.flatMap((page) => scriptsOf(built, page)))].map(({ file }) => file);
  const all = files.map(textOf).join('\n');

  it.each(PAGES)(`weighs at most ${LIMIT} kB: %s`, (page) => {
    const scripts = scriptsOf(built, page);
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = scripts.reduce((sum, { file }) => sum + gzippedSize(file), 0);
    const tooMuch = bytes / 1000 > LIMIT ? { kB: bytes / 1000, grown: grown(built, scripts) } : null;
    expect(tooMuch).toBeNull();
  });

  it('has no schema library, live connection, toasts, menus or unused parts of React in it', () => {
    expect(all).not.toMatch(
      /\b_zod\b|engine\.io|Toastify__|data-radix-menu|startViewTransition|data-precedence/,
    );
  });

  it('has the words of this language and of no other', () => {
    const own = Object.values(wordsIn(language));
    expect(own.some((words) => all.includes(words))).toBe(true);
    const others = LANGUAGES.filter((other) => other !== language).flatMap((other) =>
      Object.values(wordsIn(other)),
    );
    expect(others.filter((words) => !own.includes(words) && all.includes(words))).toEqual([]);
  });

  it('lies there compressed', () => {
    for (const file of files.filter((each) => textOf(each).length > 1_000)) {
      expect(existsSync(join(site, `${file}.br`))).toBe(true);
      expect(existsSync(join(site, `${file}.gz`))).toBe(true);
    }
  });
});

it('leaves the utilities of no page of readers to the sheet of staff', () => {
  const left = leftToStaff();
  expect(left.length).toBeGreaterThan(1);
  expect(modulesOfReaders(english).filter((module) => left.some((pattern) => pattern.test(module)))).toEqual(
    [],
  );
});
