import type { Clause, CqlNode, CqlQuery, Modifier } from './cql.js';
import { indexOf, setOfUri, type Prefixes } from './cql-indexes.js';
import { SruDiagnostic } from './diagnostic.js';

const MOST_CLAUSES = 50;

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
  let clauses = 0;

  const clause = ({ index = 'cql.serverChoice', relation, term }: Clause, prefixes: Prefixes): string => {
    if ((clauses += 1) > MOST_CLAUSES) throw new SruDiagnostic(38, MOST_CLAUSES - 1);
    const { condition } = indexOf(index, prefixes);
    const asked = relationOf(relation?.name ?? '=', relation?.modifiers ?? []);
    const value = (of: unknown) => `$${values.push(of)}`;
    const written = condition({ relation: asked, words: wordsOf(term), value });
    if (written === undefined) throw new SruDiagnostic(22, `${index} ${asked}`);
    return `(${written})`;
  };
  const conditionOfNode = (node: CqlNode, prefixes: Prefixes): string => {
    if (node.kind === 'clause') return clause(node, prefixes);
    if (node.kind === 'prefix') {
      const known = new Map([...prefixes, [(node.name ?? '').toLowerCase(), setOfUri(node.uri)]]);
      return conditionOfNode(node.query, known);
    }
    const { operator, modifiers, left, right } = node;
    if (operator === 'prox') throw new SruDiagnostic(39);
    if (modifiers[0]) throw new SruDiagnostic(46, modifiers[0].name);
    const [one, other] = [conditionOfNode(left, prefixes), conditionOfNode(right, prefixes)];
    return `(${one} ${operator === 'not' ? 'and not' : operator} ${other})`;
  };

  const where = conditionOfNode(query, new Map());
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
  const { order } = indexOf(named, new Map());
  if (order === undefined) throw new SruDiagnostic(16, named);
  const [name = 'ascending', ...more] = modifiers
    .map((modifier) => (modifier.comparison ? '' : inSet('sort', modifier.name)))
    .filter((modifier) => !USUAL_MODIFIERS.includes(modifier));
  const direction = DIRECTIONS.get(name);
  if (direction === undefined || more.length > 0) throw new SruDiagnostic(82, named);
  return `${order} ${direction} nulls last`;
}

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
