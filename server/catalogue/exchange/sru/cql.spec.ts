import fc from 'fast-check';
import { forAll } from '../../../../test-support/arbitraries/for-all.js';
import { conditionOf } from './cql-sql.js';
import { parseCql, type CqlNode, type CqlQuery, type Modifier } from './cql.js';
import { SruDiagnostic } from './diagnostic.js';

const refusalOf = (read: () => unknown) => {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SruDiagnostic) return error.number;
    throw error;
  }
};
const refusal = (text: string) => refusalOf(() => parseCql(text));

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

const readText = (written: string) => queryText(parseCql(written));
const isReadAs = (written: string, meant: string, ...[refused]: [number?]) => {
  expect(readText(written)).toBe(meant);
  expect(refusalOf(() => conditionOf(parseCql(written), ''))).toBe(refused);
};

describe('CQL', () => {
  // https://www.loc.gov/standards/sru/cql/ (version 1.2): each with what it means, and by which number it is not answered, if so.
  it.each<[string, string, number?]>([
    ['dc.title any fish', '"dc.title" any "fish"'],
    [
      'dc.title any fish or dc.creator any sanderson',
      '("dc.title" any "fish" or "dc.creator" any "sanderson")',
    ],
    [
      'dc.title any fish sortBy dc.date/sort.ascending',
      '"dc.title" any "fish" sortBy "dc.date"/"sort.ascending"',
    ],
    [
      '> dc = "info:srw/context-sets/1/dc-v1.1" dc.title any fish',
      '(>"dc"="info:srw/context-sets/1/dc-v1.1" "dc.title" any "fish")',
    ],
    ['fish', '"fish"'],
    ['cql.serverChoice = fish', '"cql.serverChoice" = "fish"'],
    ['"fish"', '"fish"'],
    ['"squirrels fish"', '"squirrels fish"'],
    ['""', '""', 27],
    ['title any fish', '"title" any "fish"'],
    ['dc.title cql.any fish', '"dc.title" cql.any "fish"'],
    ['dc.title any/relevant fish', '"dc.title" any/"relevant" "fish"', 20],
    ['dc.title any/ relevant /cql.string fish', '"dc.title" any/"relevant"/"cql.string" "fish"', 20],
    ['dc.title any/rel.algorithm=cori fish', '"dc.title" any/"rel.algorithm"="cori" "fish"', 20],
    [
      'dc.title any fish or (dc.creator any sanderson and dc.identifier = "id:1234567")',
      '("dc.title" any "fish" or ("dc.creator" any "sanderson" and "dc.identifier" = "id:1234567"))',
    ],
    [
      'dc.title any fish or/rel.combine=sum dc.creator any sanderson',
      '("dc.title" any "fish" or/"rel.combine"="sum" "dc.creator" any "sanderson")',
      46,
    ],
    [
      'dc.title any fish prox/unit=word/distance>3 dc.title any squirrel',
      '("dc.title" any "fish" prox/"unit"="word"/"distance">"3" "dc.title" any "squirrel")',
      39,
    ],
    ['"cat" sortBy dc.title', '"cat" sortBy "dc.title"'],
    [
      '"dinosaur" sortBy dc.date/sort.descending dc.title/sort.ascending',
      '"dinosaur" sortBy "dc.date"/"sort.descending" "dc.title"/"sort.ascending"',
    ],
    [
      '> dc = "http://deepcustard.org/" dc.custardDepth > 10',
      '(>"dc"="http://deepcustard.org/" "dc.custardDepth" > "10")',
      15,
    ],
    [
      '> "http://deepcustard.org/" custardDepth > 10',
      '(>"http://deepcustard.org/" "custardDepth" > "10")',
      15,
    ],
    ['dC.tiTlE any fish', '"dC.tiTlE" any "fish"'],
    [
      'dc.TitlE Any/rEl.algOriThm=cori fish soRtbY Dc.TitlE',
      '"dc.TitlE" Any/"rEl.algOriThm"="cori" "fish" sortBy "Dc.TitlE"',
      20,
    ],
  ])('of the specification’s version 1.2: %s', isReadAs);

  // Examples of version 1.1 and of OASIS searchRetrieve 1.0, part 5, section 2.1, that say something else than those of 1.2.
  it.each<[string, string, number?]>([
    ['title exact "the complete dinosaur"', '"title" exact "the complete dinosaur"'],
    ['dinosaur not reptile', '("dinosaur" not "reptile")'],
    ['dinosaur and bird or dinobird', '(("dinosaur" and "bird") or "dinobird")'],
    ['(bird or dinosaur) and (feathers or scales)', '(("bird" or "dinosaur") and ("feathers" or "scales"))'],
    ['lengthOfFemur > 2.4', '"lengthOfFemur" > "2.4"', 16],
    ['bioMass >= 100', '"bioMass" >= "100"', 16],
    ['title all "complete dinosaur"', '"title" all "complete dinosaur"'],
    ['(caudal or dorsal) prox vertebra', '(("caudal" or "dorsal") prox "vertebra")', 39],
    ['ribs prox/distance<=5 chevrons', '("ribs" prox/"distance"<="5" "chevrons")', 39],
    [
      'ribs prox/distance>0/unit=paragraph chevrons',
      '("ribs" prox/"distance">"0"/"unit"="paragraph" "chevrons")',
      39,
    ],
    ['dc.author exact/stem "smith, j."', '"dc.author" exact/"stem" "smith, j."', 16],
    ['dc.title=cat and/rel.sum dc.title=dog', '("dc.title" = "cat" and/"rel.sum" "dc.title" = "dog")', 46],
    ['date within "2002 2005"', '"date" within "2002 2005"'],
    ['dateRange encloses 2003', '"dateRange" encloses "2003"', 16],
    ['title =/stem "these completed dinosaurs"', '"title" =/"stem" "these completed dinosaurs"', 20],
    ['title = raven sortBy date/ascending', '"title" = "raven" sortBy "date"/"ascending"'],
  ])('of other versions: %s', isReadAs);

  it.each([
    ['a not b or c', '(("a" not "b") or "c")'],
    ['title = and', '"title" = "and"'],
    ['title="\\"x\\" \\* y"', '"title" = "\\"x\\" \\* y"'],
  ])('reads %s', (written, meant) => {
    expect(readText(written)).toBe(meant);
  });

  // `sru.int.spec.ts` proves the other refusals, each by its number, and that every text gets an answer.
  it('says where brackets or words are missing', () => {
    const numbers = ['', 'fish frog', 'a and', 'a sortBy', '(a', '('.repeat(2_000), 'a"'].map(refusal);
    expect(numbers).toEqual([10, 10, 10, 10, 13, 13, 14]);
  });

  it('reads every tree from its text', () => {
    forAll([query], {}, (tree) => {
      const written = queryText(tree);
      fc.pre(written.length <= 4_000);
      expect(parseCql(written)).toEqual(tree);
    });
  });
});
