import fc from 'fast-check';
import { parseCql, type CqlNode, type CqlQuery, type Modifier } from './cql.js';
import { SruDiagnostic } from './diagnostic.js';

const clause = (term: string, index?: string, name?: string, ...modifiers: Modifier[]) => ({
  kind: 'clause' as const,
  ...(index !== undefined && name !== undefined && { index, relation: { name, modifiers } }),
  term,
});
const fish = clause('fish', 'dc.title', 'any');

const refusal = (text: string) => {
  try {
    return parseCql(text);
  } catch (error) {
    if (error instanceof SruDiagnostic) return error.number;
    throw error;
  }
};

/** A tree as text, with brackets around every part. */
const words = (text: string) => `"${text}"`;
const modifierText = ({ name, comparison }: Modifier) =>
  `/${words(name)}${comparison ? `${comparison.symbol}${words(comparison.value)}` : ''}`;
const modifiersText = (modifiers: readonly Modifier[]) => modifiers.map(modifierText).join('');
function nodeText(node: CqlNode): string {
  if (node.kind === 'prefix')
    return `(>${node.name === undefined ? '' : `${words(node.name)}=`}${words(node.uri)} ${nodeText(node.query)})`;
  if (node.kind === 'boolean')
    return `(${nodeText(node.left)} ${node.operator}${modifiersText(node.modifiers)} ${nodeText(node.right)})`;
  const { index, relation, term } = node;
  return index === undefined || !relation
    ? words(term)
    : `${words(index)} ${relation.name}${modifiersText(relation.modifiers)} ${words(term)}`;
}
const queryText = ({ query, sort }: CqlQuery) =>
  nodeText(query) +
  (sort.length === 0
    ? ''
    : ` sortBy ${sort.map(({ index, modifiers }) => words(index) + modifiersText(modifiers)).join(' ')}`);

const symbol = fc.constantFrom('=', '==', '<>', '<', '>', '<=', '>=');
/** Of what a quotation may have: no mark and no backslash by itself. */
const text = fc.string({
  unit: fc.constantFrom('a', 'ż', ' ', '(', ')', '/', '=', '*', '.', '\\"', '\\\\', 'and'),
});
const modifiers = fc.array(
  fc.oneof(
    fc.record({ name: text }),
    fc.record({ name: text, comparison: fc.record({ symbol, value: text }) }),
  ),
  { maxLength: 2 },
);
const { node } = fc.letrec<{ node: CqlNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({ kind: fc.constant('clause' as const), term: text }),
    fc.record({
      kind: fc.constant('clause' as const),
      index: text,
      relation: fc.record({ name: fc.oneof(symbol, fc.constantFrom('any', 'cql.all', 'within')), modifiers }),
      term: text,
    }),
    fc.record({
      kind: fc.constant('boolean' as const),
      operator: fc.constantFrom('and', 'or', 'not', 'prox'),
      modifiers,
      left: tie('node'),
      right: tie('node'),
    }),
    fc.record({ kind: fc.constant('prefix' as const), uri: text, query: tie('node') }),
    fc.record({ kind: fc.constant('prefix' as const), name: text, uri: text, query: tie('node') }),
  ),
}));
const query = fc.record({
  query: node,
  sort: fc.array(fc.record({ index: text, modifiers }), { maxLength: 2 }),
});

describe('CQL', () => {
  it.each<[string, CqlNode, CqlQuery['sort']?]>([
    ['fish', clause('fish')],
    ['"fish"', clause('fish')],
    ['"squirrels fish"', clause('squirrels fish')],
    ['""', clause('')],
    ['dc.title any fish', fish],
    ['dc.title cql.any fish', clause('fish', 'dc.title', 'cql.any')],
    ['dc.title any/relevant fish', clause('fish', 'dc.title', 'any', { name: 'relevant' })],
    [
      'dc.title any/ relevant /cql.string fish',
      clause('fish', 'dc.title', 'any', { name: 'relevant' }, { name: 'cql.string' }),
    ],
    [
      'dc.title any/rel.algorithm=cori fish',
      clause('fish', 'dc.title', 'any', {
        name: 'rel.algorithm',
        comparison: { symbol: '=', value: 'cori' },
      }),
    ],
    [
      'dc.title any fish or dc.creator any sanderson',
      {
        kind: 'boolean',
        operator: 'or',
        modifiers: [],
        left: fish,
        right: clause('sanderson', 'dc.creator', 'any'),
      },
    ],
    [
      'dc.title any fish or (dc.creator any sanderson and dc.identifier = "id:1234567")',
      {
        kind: 'boolean',
        operator: 'or',
        modifiers: [],
        left: fish,
        right: {
          kind: 'boolean',
          operator: 'and',
          modifiers: [],
          left: clause('sanderson', 'dc.creator', 'any'),
          right: clause('id:1234567', 'dc.identifier', '='),
        },
      },
    ],
    [
      'dc.title any fish prox/unit=word/distance>3 dc.title any squirrel',
      {
        kind: 'boolean',
        operator: 'prox',
        modifiers: [
          { name: 'unit', comparison: { symbol: '=', value: 'word' } },
          { name: 'distance', comparison: { symbol: '>', value: '3' } },
        ],
        left: fish,
        right: clause('squirrel', 'dc.title', 'any'),
      },
    ],
    [
      'dc.title any fish sortBy dc.date/sort.ascending',
      fish,
      [{ index: 'dc.date', modifiers: [{ name: 'sort.ascending' }] }],
    ],
    [
      '> dc = "info:srw/context-sets/1/dc-v1.1" dc.title any fish',
      { kind: 'prefix', name: 'dc', uri: 'info:srw/context-sets/1/dc-v1.1', query: fish },
    ],
    [
      '> "http://deepcustard.org/" custardDepth > 10',
      { kind: 'prefix', uri: 'http://deepcustard.org/', query: clause('10', 'custardDepth', '>') },
    ],
    [
      'dc.TitlE Any/rEl.algOriThm=cori fish soRtbY Dc.TitlE',
      clause('fish', 'dc.TitlE', 'Any', {
        name: 'rEl.algOriThm',
        comparison: { symbol: '=', value: 'cori' },
      }),
      [{ index: 'Dc.TitlE', modifiers: [] }],
    ],
    [
      'a not b or c',
      {
        kind: 'boolean',
        operator: 'or',
        modifiers: [],
        left: { kind: 'boolean', operator: 'not', modifiers: [], left: clause('a'), right: clause('b') },
        right: clause('c'),
      },
    ],
    ['title = and', clause('and', 'title', '=')],
    ['title="\\"x\\" \\* y"', clause('\\"x\\" \\* y', 'title', '=')],
  ])('reads what its specification has as an example: %s', (written, tree, sort = []) => {
    expect(parseCql(written)).toEqual({ query: tree, sort });
  });

  it.each([
    ['', 10],
    ['   ', 10],
    ['fish frog', 10],
    ['title =', 10],
    ['a and', 10],
    ['a sortBy', 10],

    ['(a', 13],
    ['a)', 13],
    ['('.repeat(2_000), 13],
    ['"a', 14],
    ['a"', 14],
    ['a'.repeat(4_001), 12],
  ])('says what is wrong (%#)', (written, number) => {
    expect(refusal(written)).toBe(number);
  });

  it('reads every tree from its text', () => {
    fc.assert(
      fc.property(query, (tree) => {
        const written = queryText(tree);
        fc.pre(written.length <= 4_000);
        expect(parseCql(written)).toEqual(tree);
      }),
    );
  });

  it('has an answer to every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (written) => {
        refusal(written);
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '"', '(', ')', '/', '=', '>', '<', ' ', 'and ', 'sortBy ', '\\')),
        (parts) => {
          refusal(parts.join(''));
        },
      ),
    );
  });
});
