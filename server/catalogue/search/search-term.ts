import { canonicalIsbn } from '../isbn.js';
import { numberOf, spokenNumber, writtenNumbers } from './number-words.js';
import { inLatin, isNoise, isSoft, marksOf, otherKinds, otherSpellings } from './search-words.js';

/** Thirteen or ten digits with hyphens or blanks between them, or the begun `978-83-…` of one. */
const LIKE_AN_ISBN =
  /(?<![\p{L}\p{N}])(?:97[89](?:[-\s]?\d){10}|\d(?:[-\s]?\d){8}[-\s]?[\dXx]|97[89](?:-\d+)+-?)(?![\p{L}\p{N}])/gu;

/**
 * Writes the ISBNs of what a person typed as the catalogue keeps them: without hyphens, an ISBN-10 as its ISBN-13.
 * @param typed anything
 */
export function withPlainIsbns(typed: string): string {
  return typed
    .replace(THOUSANDS, (found) => found.replaceAll(',', ''))
    .replace(LIKE_AN_ISBN, (found) => {
      const isbn = canonicalIsbn(found);
      if (isbn !== undefined) return isbn;
      return /^97[89]-/.test(found) ? found.replaceAll('-', '') : found;
    });
}

/** Digits with commas between the thousands. */
const THOUSANDS = /(?<![\d,.])(\d{1,3})((?:,\d{3})+)(?![\d,])/g;

/** One form for all spellings that cannot differ in what they find, so that they share one cache entry. */
export function normalizedTerm(typed: string): string {
  return typed.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** One word or number that is looked for. */
export interface SearchPart {
  /** As it was typed, folded. */
  typed: string;
  /** As it stands in a title: with a typing error forgiven, other than typed. */
  read: string;
  /** It is found by any of these; each is all of some words. A `*` ends the beginning of a word. */
  forms: readonly (readonly string[])[];
  /** The same, more broadly: for a search that finds nothing otherwise. */
  wide: readonly (readonly string[])[];
  /** Those of the broader forms that are a word taken apart. */
  halves: readonly (readonly string[])[];
  /** Where a typing error is forgiven: what may have been meant, the likeliest first. */
  near?: readonly string[];
  /** Says nothing of a book: it is compared with titles alone. */
  isNoise: boolean;
  /** Says what kind of book is wanted, of which year or language: it may be found anywhere in a book, and weighs less. */
  isSoft: boolean;
}

/** What is looked for: every part in any order, the last word as the beginning of a word. */
export interface SearchQuery {
  /** In the order that they were typed in, those that say nothing among them. */
  parts: readonly SearchPart[];
  /** The parts that books are found by. */
  terms: readonly SearchPart[];
  /** The same for PostgreSQL, a `tsquery`. */
  text: string;
  /** What of it the title and authors of a good match have. */
  mainText: string;
  /** What a title begins with that begins with what was typed; without what only narrows, too. */
  titles: readonly string[];
  /** Whether a word may be an ISBN or the beginning of one. */
  mayBeIsbn: boolean;
  /** The same for queries that find the same in the same order. */
  key: string;
}

/** Digits from which on a number is looked for among the ISBNs too: a year is none. */
const LIKE_AN_ISBN_WORD = /^\d{5,13}$|^\d{9}x$/;
/** Numbers up to this one are words like others where they are written out, and volumes where they are digits. */
const SMALL_NUMBER = 20;
/** Shorter parts of a word are no words. */
const SHORTEST_PART = 3;
/** Shorter beginnings begin too many words. */
const SHORTEST_BEGINNING = 4;

/**
 * Makes the query of what was typed.
 * @param words of letters and digits only, at least one
 */
export function searchQuery(words: readonly string[]): SearchQuery {
  const parts: SearchPart[] = [];
  for (let at = 0; at < words.length;) {
    const spoken = spokenNumber(words.slice(at));
    const length = spoken && (spoken.length > 1 || spoken.value > SMALL_NUMBER) ? spoken.length : 1;
    const typed = words.slice(at, at + length);
    const isLast = at + length === words.length;
    at += length;
    parts.push(
      length > 1 || spoken
        ? numberPart(typed, spoken?.value, isLast)
        : wordPart(typed[0] ?? '', words[at], isLast),
    );
  }
  return queryOfParts(parts);
}

/**
 * Makes the query of some parts, in this order. Where all of them say nothing, all of them are looked for.
 * @param parts at least one
 */
export function queryOfParts(parts: readonly SearchPart[]): SearchQuery {
  const known = new Map(parts.filter(({ isNoise }) => !isNoise).map((part) => [part.typed, part]));
  const terms =
    known.size > 0 ? [...known.values()] : [...new Map(parts.map((part) => [part.typed, part])).values()];
  const main = coreOf(terms);
  const text = textOf(terms);
  const titles = titlesOf(parts);
  return {
    parts,
    terms,
    text,
    mainText: textOf(main),
    titles,
    mayBeIsbn: terms.some(({ forms }) => forms.some(([word = '']) => word.startsWith('#'))),
    key: `${text}|${titles.join('|')}`,
  };
}

/** The query with its parts found more broadly. */
export function widened({ parts }: SearchQuery): SearchQuery {
  return queryOfParts(parts.map((part) => ({ ...part, forms: [...part.forms, ...part.wide], wide: [] })));
}

/** The same with other spellings of its words, no more broadly than that. */
export function respelt({ parts }: SearchQuery): SearchQuery {
  return queryOfParts(
    parts.map((part) => ({
      ...part,
      forms: [...part.forms, ...otherSpellings(part.typed).map((other) => [other])],
    })),
  );
}

/** The queries in which two words that follow each other are one: "water ship down" may be "watership down". */
export function joined({ terms }: SearchQuery): SearchQuery[] {
  return terms.slice(1).map((second, at) => {
    const first = terms[at] as SearchPart;
    const read = first.read + second.read;
    const both = first.forms.flatMap((one) => second.forms.map((other) => [...one, ...other]));
    const one: SearchPart = {
      ...first,
      typed: `${first.typed} ${second.typed}`,
      read,
      forms: [[second.forms[0]?.[0]?.endsWith('*') ? `${read}*` : read], ...both],
      isSoft: false,
    };
    return queryOfParts([...terms.slice(0, at), one, ...terms.slice(at + 2)]);
  });
}

/** The parts whose words a good match has in its title or authors: all, where all only narrow. */
export function coreOf(terms: readonly SearchPart[]): readonly SearchPart[] {
  const core = terms.filter(({ isSoft }) => !isSoft);
  return core.length > 0 ? core : terms;
}

function wordPart(typed: string, next: string | undefined, isLast: boolean): SearchPart {
  const number = numberOf(typed);
  if (number !== undefined) return numberPart([typed], number, isLast);
  const latin = inLatin(typed);
  const words = [...new Set([typed, latin])].map((word) => (isLast ? `${word}*` : word));
  const isNoisy = isNoise(typed, next);
  const halves = isNoisy ? [] : halvesOf(latin, isLast);
  const wide = isNoisy ? [] : [...widerForms(latin, isLast), ...halves];
  return {
    ...{ typed, read: typed, isNoise: isNoisy, isSoft: isSoft(typed), wide, halves },
    forms: [
      ...words.map((word) => [word]),
      ...(LIKE_AN_ISBN_WORD.test(typed) ? words.map((word) => [`#${word}`]) : []),
      ...otherKinds(typed),
      ...marksOf(typed).map((mark) => [mark]),
    ],
  };
}

function numberPart(words: readonly string[], value: number | undefined, isLast: boolean): SearchPart {
  const typed = words.join(' ');
  const digits = /^\d+$/.test(typed);
  const isOpen = isLast && (!digits || typed.length > 2);
  const own = words.map((word, at) => (isOpen && at === words.length - 1 ? `${word}*` : word));
  const written = value === undefined ? [] : writtenNumbers(value).filter((way) => way.join(' ') !== typed);
  const isSmall = value !== undefined && value <= SMALL_NUMBER;
  const isbn = LIKE_AN_ISBN_WORD.test(typed) ? [[`#${own.join('')}`]] : [];
  return {
    ...{ typed, read: typed, isNoise: false, isSoft: isSoft(typed), halves: [] },
    forms: [own, ...isbn, ...(isSmall ? [] : written), ...marksOf(typed).map((mark) => [mark])],
    wide: isSmall ? [...written, ...(digits ? [] : [[String(value)]])] : [],
  };
}

/** What a word may be beside itself: the beginning of one, initials, another spelling, another word for a kind of book. */
function widerForms(word: string, isLast: boolean): string[][] {
  return [
    ...(isLast || word.length < SHORTEST_BEGINNING ? [] : [[`${word}*`]]),
    ...otherSpellings(word).map((other) => [isLast ? `${other}*` : other]),
    ...(/^\p{L}{2,3}$/u.test(word) ? [[...word]] : []),
  ];
}

/** The two words that a word may be: `catch22`, `lordof`. */
function halvesOf(word: string, isLast: boolean): string[][] {
  const mixed = /^(\p{L}+)(\d+)$|^(\d+)(\p{L}+)$/u.exec(word)?.slice(1).filter(Boolean);
  if (mixed) return [mixed];
  return Array.from({ length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) }, (_, at) => {
    const second = word.slice(at + SHORTEST_PART);
    return [word.slice(0, at + SHORTEST_PART), isLast ? `${second}*` : second];
  });
}

function textOf(terms: readonly SearchPart[]): string {
  const texts = terms.map(({ forms }) => {
    const any = forms.map((words) => {
      const all = words.map((word) => (word.endsWith('*') ? `'${word.slice(0, -1)}':*` : `'${word}'`));
      return all.length === 1 ? all[0] : `(${all.join(' & ')})`;
    });
    return any.length === 1 ? any[0] : `(${any.join(' | ')})`;
  });
  return [...new Set(texts)].join(' & ');
}

/** What was typed, and the same without what says nothing or only narrows, before and after it. */
function titlesOf(parts: readonly SearchPart[]): string[] {
  const counts = parts.map(({ isNoise: isNoisy, isSoft: isVague }) => !isNoisy && !isVague);
  const [first, last] = [counts.indexOf(true), counts.lastIndexOf(true)];
  const texts = [parts, first < 0 ? [] : parts.slice(first, last + 1)].map((some) =>
    some.map(({ read }) => read).join(' '),
  );
  return [
    ...new Set(texts.filter((text) => text !== '').map((text) => text.replace(/^(?:the|an?) (?=.)/, ''))),
  ];
}
