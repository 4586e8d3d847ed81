import { isPublished } from '#contracts/catalogue/published.js';
import { canonicalIsbn } from '../../isbn.js';
import type { Clause, CqlNode, CqlQuery, Modifier } from './cql.js';
import { INDEXES, indexOf, setOfUri, type Prefixes } from './cql-indexes.js';
import { SruDiagnostic } from './diagnostic.js';

const MOST_CLAUSES = 50;
/** Characters of a number: of a book without an ISBN too. */
const LONGEST_NUMBER = 60;

/** Conditions on `book b` that one of its texts is like a pattern. */
const TEXT_LIKE = {
  title: (pattern: string) =>
    `exists (select from book_search s, unnest(s.title_start || s.other_starts) text where s.book_id = b.id and text ~ ${pattern})`,
  author: (pattern: string) =>
    `exists (select from book_author l join author a on a.id = l.author_id,
       unnest(array[a.firstname || ' ' || a.lastname, a.lastname || ' ' || a.firstname] || a.other_names) text
       where l.book_id = b.id and search_plain(text) ~ ${pattern})`,
  subject: (pattern: string) =>
    `b.id in (select l.book_id from book_genre l join genre g on g.id = l.genre_id where search_plain(g.name) ~ ${pattern})`,
};

/** Which books a query wants, and in which order: of `book b`. */
export interface BookCondition {
  where: string;
  orderBy: string;
  values: unknown[];
}

/** As everywhere where nobody asks for another order: what is read much comes first. */
const USUAL_ORDER = '(select s.level from book_search s where s.book_id = b.id) desc nulls last, b.id';
const DIRECTIONS = new Map([
  ['ascending', 'asc'],
  ['descending', 'desc'],
]);
/** A word is a word, and neither case nor accents count: this is so in any case. */
const USUAL_MODIFIERS = ['word', 'masked', 'ignorecase', 'ignoreaccents'];
const RELATIONS = ['any', 'all', 'adj', 'within', 'encloses', '=', '==', '<>', '<', '<=', '>', '>='];
const OTHER_NAMES = new Map([
  ['scr', '='],
  ['exact', '=='],
]);

const inSet = (set: string, name: string) => name.toLowerCase().replace(new RegExp(`^${set}\\.`), '');

/**
 * Makes SQL of a query.
 * @param sortKeys of who asks for an order beside the query: `title,,0 date`
 * @throws SruDiagnostic for what is not understood here
 */
export function conditionOf({ query, sort }: CqlQuery, sortKeys: string): BookCondition {
  const values: unknown[] = [];
  const where = new ConditionWriter(values).node(query, new Map());
  const keys = sortKeys.split(' ').filter(Boolean).map(sortOfKey);
  const sorted = (sort.length > 0 ? sort : keys).map(sortedBy);
  return { where, orderBy: [...sorted, USUAL_ORDER].join(', '), values };
}

type Sort = CqlQuery['sort'][number];

function sortOfKey(key: string): Sort {
  const [index = '', , ascending] = key.split(',');
  return { index, modifiers: ascending === '0' ? [{ name: 'sort.descending' }] : [] };
}

function sortedBy({ index: named, modifiers }: Sort): string {
  const index = INDEXES[indexOf(named, new Map())];
  if (!('order' in index)) throw new SruDiagnostic(16, named);
  const [name = 'ascending', ...more] = modifiers
    .map((modifier) => (modifier.comparison ? '' : inSet('sort', modifier.name)))
    .filter((modifier) => !USUAL_MODIFIERS.includes(modifier));
  const direction = DIRECTIONS.get(name);
  if (direction === undefined || more.length > 0) throw new SruDiagnostic(82, named);
  return `${index.order} ${direction} nulls last`;
}

class ConditionWriter {
  private clauses = 0;

  constructor(private readonly values: unknown[]) {}

  node(node: CqlNode, prefixes: Prefixes): string {
    if (node.kind === 'clause') return this.clause(node, prefixes);
    if (node.kind === 'prefix') {
      const known = new Map([...prefixes, [(node.name ?? '').toLowerCase(), setOfUri(node.uri)]]);
      return this.node(node.query, known);
    }
    const { operator, modifiers, left, right } = node;
    if (operator === 'prox') throw new SruDiagnostic(39);
    if (modifiers[0]) throw new SruDiagnostic(46, modifiers[0].name);
    const [one, other] = [this.node(left, prefixes), this.node(right, prefixes)];
    return `(${one} ${operator === 'not' ? 'and not' : operator} ${other})`;
  }

  private clause({ index: named = 'cql.serverChoice', relation, term }: Clause, prefixes: Prefixes): string {
    if ((this.clauses += 1) > MOST_CLAUSES) throw new SruDiagnostic(38, MOST_CLAUSES - 1);
    const index = indexOf(named, prefixes);
    const asked = relationOf(relation?.name ?? '=', relation?.modifiers ?? []);
    if (index === 'everything') return 'true';
    const words = wordsOf(term);
    const written =
      index === 'date'
        ? this.date(asked, words)
        : index === 'isbn'
          ? this.number(asked, words)
          : index === 'any'
            ? this.anywhere(asked, words)
            : this.text(index, asked, words);
    if (written === undefined) throw new SruDiagnostic(22, `${named} ${asked}`);
    return `(${written})`;
  }

  private value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** By the words that books are searched by. */
  private found(column: 'words' | 'main', relation: string, words: readonly string[]): string {
    const operator = relation === 'any' ? '|' : '&';
    return `b.id in (select s.book_id from book_search s where s.${column} @@ cql_words(${this.value(words)}::text[], '${operator}'))`;
  }

  private anywhere(relation: string, words: readonly string[]): string | undefined {
    if (!['=', 'all', 'any'].includes(relation)) return undefined;
    for (const word of words) {
      if (word.includes('^')) throw new SruDiagnostic(31);
      if (/[*?](?!$)|\?$/.test(word)) throw new SruDiagnostic(28);
    }
    return this.found('words', relation, words);
  }

  private text(
    index: keyof typeof TEXT_LIKE,
    relation: string,
    words: readonly string[],
  ): string | undefined {
    const like = (...some: string[]) => TEXT_LIKE[index](`cql_pattern(${this.value(some)}::text[])`);
    const conditions: Readonly<Record<string, () => string>> = {
      '=': () => like(...words),
      adj: () => like(...words),
      '==': () => like(...whole(words)),
      all: () => words.map((word) => like(word)).join(' and '),
      any: () => `(${words.map((word) => like(word)).join(' or ')})`,
    };
    if (relation === '<>') return `not (${this.text(index, '==', words)})`;
    const condition = conditions[relation];
    return (
      condition && `${this.found(index === 'subject' ? 'words' : 'main', relation, words)} and ${condition()}`
    );
  }

  private number(relation: string, words: readonly string[]): string | undefined {
    const numbers = relation === 'any' ? words : [words.join('')];
    const lexemes = numbers.map((text) => {
      const plain = canonicalIsbn(text) ?? text.replace(/[^\da-z]/gi, '').toLowerCase();
      if (plain === '' || plain.length > LONGEST_NUMBER) throw new SruDiagnostic(36, text);
      return `'#${plain}'${text.endsWith('*') ? ':*' : ''}`;
    });
    const found = `b.id in (select s.book_id from book_search s where s.words @@ ${this.value(lexemes.join(' | '))}::tsquery)`;
    if (relation === '<>') return `not ${found}`;
    return ['=', '==', 'any'].includes(relation) ? found : undefined;
  }

  private date(relation: string, words: readonly string[]): string | undefined {
    const [from = '', until = from, ...more] = words;
    const isPeriod = isPublished(from) && isPublished(until) && more.length === 0;
    if (!isPeriod || (words.length > 1 && relation !== 'within'))
      throw new SruDiagnostic(36, words.join(' '));
    const unit = ['year', 'month', 'day'][until.slice(1).split('-').length - 1];
    const starts = () => `b.publication_date >= published_day(${this.value(from)})`;
    const ends = () => `b.publication_date < published_day(${this.value(until)}) + interval '1 ${unit}'`;
    const isIn = () => `${starts()} and ${ends()}`;
    const conditions: Readonly<Record<string, () => string>> = {
      ...{ '=': isIn, '==': isIn, within: isIn, '<>': () => `not (${isIn()})` },
      ...{ '<': () => `not ${starts()}`, '>=': starts, '<=': ends, '>': () => `not ${ends()}` },
    };
    const condition = conditions[relation]?.();
    return condition && `b.publication_date is not null and ${condition}`;
  }
}

/** From the beginning to the end. */
const whole = (words: readonly string[]) =>
  words.join(' ').replace(/^\^?/, '^').replace(/\^?$/, '^').split(' ');

/**
 * The words of a term, with the characters that stand for others. Those that do not are signs like any other, which do not count.
 * @throws SruDiagnostic 26, 27, 28, 32
 */
function wordsOf(term: string): string[] {
  const words = term
    .replace(/\\[*?^"\\]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) throw new SruDiagnostic(27);
  for (const word of words) {
    if (word.includes('\\')) throw new SruDiagnostic(26, word);
    if (/^\^?[*?]/.test(word)) throw new SruDiagnostic(28);
    if (/[^]\^[^]|^\^+$/.test(word)) throw new SruDiagnostic(32);
  }
  return words;
}

/** @throws SruDiagnostic 19, 20 */
function relationOf(written: string, modifiers: readonly Modifier[]): string {
  const name = inSet('cql', written);
  const relation = OTHER_NAMES.get(name) ?? name;
  if (!RELATIONS.includes(relation)) throw new SruDiagnostic(19, written);
  for (const { name: modifier, comparison } of modifiers) {
    if (comparison || !USUAL_MODIFIERS.includes(inSet('cql', modifier)))
      throw new SruDiagnostic(20, modifier);
  }
  return relation;
}
