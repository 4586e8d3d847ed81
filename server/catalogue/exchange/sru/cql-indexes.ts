import { isPublished } from '#contracts/catalogue/published.js';
import { canonicalIsbn } from '../../isbn.js';
import { SruDiagnostic } from './diagnostic.js';

/** Characters of a number: of a book without an ISBN too. */
const LONGEST_NUMBER = 60;

/** The context sets that are known, by the short names that they have here: the first address is the one that is told. */
export const CONTEXT_SETS: Readonly<Record<string, readonly string[]>> = {
  cql: ['info:srw/cql-context-set/1/cql-v1.2', 'info:srw/cql-context-set/1/cql-v1.1'],
  dc: ['info:srw/cql-context-set/1/dc-v1.1', 'info:srw/context-sets/1/dc-v1.1'],
  bath: ['http://zing.z3950.org/cql/bath/2.0/'],
};

/** What a clause asks of an index. */
interface AskedOfIndex {
  relation: string;
  words: readonly string[];
  /** Gives a value of the statement its place. */
  value: (value: unknown) => string;
}

/** A condition on `book b`; none where the relation makes no sense of the index. */
type Condition = (asked: AskedOfIndex) => string | undefined;

/** By the words that books are searched by. */
const found = (column: 'words' | 'main', { relation, words, value }: AskedOfIndex) =>
  `b.id in (select s.book_id from book_search s where s.${column} @@ cql_words(${value(words)}::text[], '${relation === 'any' ? '|' : '&'}'))`;

const anywhere: Condition = (asked) => {
  if (!['=', 'all', 'any'].includes(asked.relation)) return undefined;
  for (const word of asked.words) {
    if (word.includes('^')) throw new SruDiagnostic(31);
    if (/[*?](?!$)|\?$/.test(word)) throw new SruDiagnostic(28);
  }
  return found('words', asked);
};

/** @param isLike the condition that one of its texts is like a pattern */
const text = (column: 'words' | 'main', isLike: (pattern: string) => string): Condition =>
  function condition(asked): string | undefined {
    const { relation, words, value } = asked;
    if (relation === '<>') return `not (${condition({ ...asked, relation: '==' })})`;
    const like = (...some: string[]) => isLike(`cql_pattern(${value(some)}::text[])`);
    const fromBeginToEnd = () => words.join(' ').replace(/^\^?/, '^').replace(/\^?$/, '^').split(' ');
    const each = (operator: string) => words.map((word) => like(word)).join(` ${operator} `);
    const conditions: Readonly<Record<string, () => string>> = {
      ...{ '=': () => like(...words), adj: () => like(...words), '==': () => like(...fromBeginToEnd()) },
      ...{ all: () => each('and'), any: () => each('or') },
    };
    const written = conditions[relation]?.();
    return written && `${found(column, asked)} and (${written})`;
  };

const number: Condition = ({ relation, words, value }) => {
  const numbers = relation === 'any' ? words : [words.join('')];
  const lexemes = numbers.map((each) => {
    const plain = canonicalIsbn(each) ?? each.replace(/[^\da-z]/gi, '').toLowerCase();
    if (plain === '' || plain.length > LONGEST_NUMBER) throw new SruDiagnostic(36, each);
    return `'#${plain}'${each.endsWith('*') ? ':*' : ''}`;
  });
  const isFound = `b.id in (select s.book_id from book_search s where s.words @@ ${value(lexemes.join(' | '))}::tsquery)`;
  if (relation === '<>') return `not ${isFound}`;
  return ['=', '==', 'any'].includes(relation) ? isFound : undefined;
};

const date: Condition = ({ relation, words, value }) => {
  const [from = '', until = from, ...more] = words;
  const isPeriod = isPublished(from) && isPublished(until) && more.length === 0;
  if (!isPeriod || (words.length > 1 && relation !== 'within')) throw new SruDiagnostic(36, words.join(' '));
  const unit = ['year', 'month', 'day'][until.slice(1).split('-').length - 1];
  const starts = () => `b.publication_date >= published_day(${value(from)})`;
  const ends = () => `b.publication_date < published_day(${value(until)}) + interval '1 ${unit}'`;
  const isIn = () => `${starts()} and ${ends()}`;
  const conditions: Readonly<Record<string, () => string>> = {
    ...{ '=': isIn, '==': isIn, within: isIn, '<>': () => `not (${isIn()})` },
    ...{ '<': () => `not ${starts()}`, '>=': starts, '<=': ends, '>': () => `not ${ends()}` },
  };
  const written = conditions[relation]?.();
  return written && `b.publication_date is not null and ${written}`;
};

/** What can be asked for: by which names of the context sets, what of `book b` puts books in its order, and what it asks of them. */
export const INDEXES: Readonly<
  Record<string, { names: readonly string[]; order?: string; condition: Condition }>
> = {
  any: {
    names: ['cql.serverChoice', 'cql.anywhere', 'cql.keywords', 'cql.any'],
    condition: anywhere,
  },
  title: {
    names: ['dc.title', 'bath.title'],
    order: 'b.title collate "pl-x-icu"',
    condition: text(
      'main',
      (pattern) =>
        `exists (select from book_search s, unnest(s.title_start || s.other_starts) text where s.book_id = b.id and text ~ ${pattern})`,
    ),
  },
  author: {
    names: ['dc.creator', 'bath.author'],
    order: `(select (a.lastname || ' ' || a.firstname) collate "pl-x-icu" from book_author l join author a on a.id = l.author_id
      where l.book_id = b.id order by l.place limit 1)`,
    condition: text(
      'main',
      (pattern) =>
        `exists (select from book_author l join author a on a.id = l.author_id,
           unnest(array[a.firstname || ' ' || a.lastname, a.lastname || ' ' || a.firstname] || a.other_names) text
           where l.book_id = b.id and search_plain(text) ~ ${pattern})`,
    ),
  },
  subject: {
    names: ['dc.subject', 'bath.subject'],
    condition: text(
      'words',
      (pattern) =>
        `b.id in (select l.book_id from book_genre l join genre g on g.id = l.genre_id where search_plain(g.name) ~ ${pattern})`,
    ),
  },
  isbn: { names: ['bath.isbn', 'dc.identifier'], condition: number },
  date: { names: ['dc.date'], order: 'b.publication_date', condition: date },
  everything: { names: ['cql.allRecords'], condition: () => 'true' },
};

/** The context sets that a part of a query gave short names; '' is the one of names without. */
export type Prefixes = ReadonlyMap<string, string>;

/** @throws SruDiagnostic 15 */
export function setOfUri(uri: string): string {
  const [known] = Object.entries(CONTEXT_SETS).find(([, uris]) => uris.includes(uri)) ?? [];
  if (known === undefined) throw new SruDiagnostic(15, uri);
  return known;
}

/**
 * The index that a name means; case does not count.
 * @throws SruDiagnostic 15, 16, 50
 */
export function indexOf(named: string, prefixes: Prefixes): (typeof INDEXES)[string] {
  const [, prefix = '', base = ''] = /^(?:([^.]*)\.)?([^]*)$/.exec(named.toLowerCase()) ?? [];
  const set = prefixes.get(prefix) ?? prefix;
  if (set !== '' && !Object.hasOwn(CONTEXT_SETS, set)) throw new SruDiagnostic(15, prefix);
  if (base === 'resultsetid') throw new SruDiagnostic(50);
  const isMeant = (name: string) =>
    (set === '' ? name.split('.')[1] : name) === (set === '' ? base : `${set}.${base}`);
  const index = Object.values(INDEXES).find(({ names }) => names.some((name) => isMeant(name.toLowerCase())));
  if (!index) throw new SruDiagnostic(16, named);
  return index;
}
