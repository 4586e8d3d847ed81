import { languageName } from '#contracts/catalogue/language.js';

/** Words that say nothing of a book: what they stand between is looked for without them. */
const NOISE = new Set(
  `a an the and or of in on by for to with from about at as is
  book books like similar novel novels author hardcover paperback ebook edition series
  ksiazka ksiazki powiesc autor autora`.split(/\s+/),
);
/** Before a number they say that it is a volume's. */
const VOLUME = new Set(['volume', 'vol', 'part', 'no', 'number', 'nr', 'tom', 'czesc']);

/** Kinds of books, and by which words the catalogue may name each, as genres or in titles; a word that titles have for other reasons is none. */
const KINDS = [
  ['poetry', 'poems', 'poem', 'poezja', 'wiersze'],
  ['mystery', 'mysteries', 'detective', 'whodunit', 'kryminal'],
  ['thriller', 'thrillers', 'suspense'],
  ['scifi', 'sf'],
  ['fantasy', 'fantastyka'],
  ['horror'],
  ['romance', 'romances', 'romans'],
  ['biography', 'memoir', 'memoirs', 'autobiography', 'biografia'],
  ['comics', 'comic', 'manga', 'komiks'],
  ['children', 'childrens', 'kids', 'juvenile'],
  ['historical'],
  ['cookbook', 'cookbooks'],
  ['classic', 'classics', 'klasyka'],
  ['fiction'],
  ['nonfiction'],
];
const KIND_OF = new Map(KINDS.flatMap((words) => words.map((word) => [word, words] as const)));
const SAID_IN_TWO = new Map<string, string[][]>([
  ['scifi', [['science', 'fiction']]],
  ['sf', [['science', 'fiction']]],
]);

/** Codes of languages by their folded English names. */
const LANGUAGES = new Map(
  Array.from({ length: 26 * 26 }, (_, at) => String.fromCodePoint(97 + Math.floor(at / 26), 97 + (at % 26)))
    .map((code) => [languageName(code).toLowerCase(), code] as const)
    .filter(([name, code]) => name !== code && /^[a-z]+$/.test(name)),
);

/** What the same word is spelt like elsewhere: on the other side of the Atlantic, in the plural. */
const SPELT = [
  [/our(?=s?$|ed|ing|ful|ite)/, 'or'],
  [/(?<=[bdlmnv])or(?=s?$|ed|ing|ful|ite)/, 'our'],
  [/(?<=[aeiou])ll(?=ers?$|ed$|ing$)/, 'l'],
  [/(?<=[aeiou])l(?=ers?$|ed$|ing$)/, 'll'],
  [/tre(s?)$/, 'ter$1'],
  [/ter(s?)$/, 'tre$1'],
  [/is(?=e[ds]?$|ing$|ation)/, 'iz'],
  [/iz(?=e[ds]?$|ing$|ation)/, 'is'],
  [/ys(?=e[ds]?$|ing$)/, 'yz'],
  [/yz(?=e[ds]?$|ing$)/, 'ys'],
  [/ogue(s?)$/, 'og$1'],
  [/og(s?)$/, 'ogue$1'],
  [/grey/, 'gray'],
  [/gray/, 'grey'],
  [/ence(s?)$/, 'ense$1'],
  [/ense(s?)$/, 'ence$1'],
  [/(?<=..[^aeiou])ies$/, 'y'],
  [/(?<=..[^aeiou])y$/, 'ies'],
  [/(?<=..(?:s|x|ch|sh))es$/, ''],
  [/(?<=..[^s])s$/, ''],
  [/(?<=..[^s])$/, 's'],
] as const;

const CYRILLIC = new Map(
  [...'абвгдезийклмнопрстуфыэіўґё'].map(
    (letter, at) => [letter, 'abvgdeziyklmnoprstufyeiuge'[at] ?? ''] as const,
  ),
);
for (const [letter, latin] of Object.entries({
  ...{
    ж: 'zh',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
    щ: 'shch',
    ъ: '',
    ь: '',
    ю: 'yu',
    я: 'ya',
    є: 'ye',
    ї: 'yi',
  },
})) {
  CYRILLIC.set(letter, latin);
}

/** Whether a word says nothing of a book. @param next the word after it */
export function isNoise(word: string, next: string | undefined): boolean {
  return NOISE.has(word) || (VOLUME.has(word) && /^(?:\d+|[ivx]+)$/.test(next ?? ''));
}

/** Whether a word says what kind of book is wanted, or in which language, rather than which. */
export function isSoft(word: string): boolean {
  return KIND_OF.has(word) || LANGUAGES.has(word) || isYear(word);
}

/** Years that a book may have come out in. */
function isYear(word: string): boolean {
  return /^(?:1\d|20)\d\ds?$/.test(word);
}

/** By what a book has it that came out in this year or decade, or is in this language (`refresh_book_search`). */
export function marksOf(word: string): string[] {
  const code = LANGUAGES.get(word);
  if (code !== undefined) return [`@${code}`];
  if (!isYear(word)) return [];
  if (!word.endsWith('s')) return [`@${word}`];
  const decade = /0s$/.test(word) ? Number.parseInt(word, 10) : NaN;
  return Number.isNaN(decade) ? [] : Array.from({ length: 10 }, (_, at) => `@${decade + at}`);
}

/** Other words for the same kind of book, each as the words that it takes. */
export function otherKinds(word: string): string[][] {
  const others = (KIND_OF.get(word) ?? []).filter((other) => other !== word).map((other) => [other]);
  return [...others, ...(SAID_IN_TWO.get(word) ?? [])];
}

/** Other spellings of the same word, most of which no book has. */
export function otherSpellings(word: string): string[] {
  if (word.length < 4 || !/^\p{L}+$/u.test(word)) return [];
  const spelt = SPELT.filter(([ending]) => ending.test(word)).map(([ending, other]) =>
    word.replace(ending, other),
  );
  return [...new Set(spelt)].filter((other) => other !== word);
}

/** A Cyrillic word in Latin letters; any other as it is. */
export function inLatin(word: string): string {
  return /\p{Script=Cyrillic}/u.test(word)
    ? [...word].map((letter) => CYRILLIC.get(letter) ?? letter).join('')
    : word;
}
