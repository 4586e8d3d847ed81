// What no source says any more, and what a language does not say yet: that is said in English, and no error.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWords } from './compile-words.mjs';
import { root } from './freshness.mjs';
import { ROOMS } from './rooms.mjs';

const SHOWN = 5;

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => readFileSync(join(root, room, name), 'utf8')),
);
const used = new Set(sources.flatMap((text) => [...text.matchAll(/\bm\.(\w+)/g)].map(([, key]) => key)));
// What the build of the site puts into its page.
for (const [, key] of readFileSync(join(root, 'client/build/in-one-language.ts'), 'utf8').matchAll(
  /'(\w+)'/g,
))
  used.add(key);

const { base, lacking } = await readWords();
for (const [language, keys] of lacking) {
  const said = base.size === 0 ? 1 : 1 - keys.length / base.size;
  const some = keys.slice(0, SHOWN).join(', ');
  const told = keys.length === 0 ? '' : `; it lacks ${some}${keys.length > SHOWN ? ', …' : ''}`;
  console.log(`       ${language}: ${Math.floor(said * 100)} % of ${base.size} messages${told}`);
}
const unused = [...base.keys()].filter((key) => !used.has(key));
if (unused.length > 0) {
  console.error(`No source uses these messages: ${unused.join(', ')}`);
  process.exit(1);
}
