import fc from 'fast-check';
import { validExchange } from '../../../../test-support/services/exchange-schema.js';
import { startProduct } from '../../../../test-support/product/product.js';
import { addNewBooks } from '../../../../test-support/product/new-books.js';
import { forAllInTime } from '../../../../test-support/arbitraries/for-all.js';
import { shared } from '../../../../test-support/shared.js';
import { elementsOf, textsOf } from '../../../../test-support/services/xml-elements.js';

const SITE = 'https://library.example.org';

describe('the catalogue for programs that search', () => {
  const product = shared(() => startProduct(undefined, { environment: { PUBLIC_URL: SITE } }));
  beforeAll(() =>
    addNewBooks(product.database, [
      {
        title: 'The fish that was',
        isbn: '9780306406157',
        authors: [{ firstname: 'Robert', lastname: 'Sanderson' }],
        genres: ['Natural history'],
        published: '1999',
      },
      {
        title: 'Squirrels and fish',
        authors: [
          { firstname: 'J. K.', lastname: 'Wróbel', otherNames: ['Vrobel'] },
          { firstname: 'Ada', lastname: 'Łoś' },
        ],
        genres: ['Fiction', 'Natural science'],
        published: '2003-05',
      },
      {
        title: 'Żółw',
        otherTitles: ['A fisher’s turtle'],
        authors: [{ firstname: '—', lastname: 'Plato' }],
        genres: ['History'],
        published: '-380',
      },
      {
        title: 'Nothing (of the kind)',
        published: '2003-06-01',
        genres: [],
        authors: [{ firstname: 'Bo', lastname: 'Fish' }],
      },
    ]),
  );

  const valid = async (answer: Response) => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    return validExchange(await answer.text());
  };
  const ask = async (parameters: Record<string, string>) =>
    valid(await fetch(`${product.url}/sru?${new URLSearchParams(parameters).toString()}`));
  /** What a query finds, in its order, or why it finds nothing. */
  const found = async (query: string, more: Record<string, string> = {}) => {
    const text = await ask({ query, recordSchema: 'dc', maximumRecords: '100', ...more });
    const [refused] = textsOf(text, 'diag:uri');
    if (refused !== undefined) return Number(refused.replace('info:srw/diagnostic/1/', ''));
    const titles = elementsOf(text, 'srw_dc:dc').length === 0 ? [] : textsOf(text, 'dc:title');
    expect(textsOf(text, 'zs:numberOfRecords')).toEqual([String(titles.length)]);
    return titles;
  };
  const [FISH, SQUIRRELS, TURTLE, NOTHING] = [
    'The fish that was',
    'Squirrels and fish',
    'Żółw',
    'Nothing (of the kind)',
  ] as const;

  it.each<[string, readonly string[]]>([
    ['fish', [FISH, SQUIRRELS, NOTHING]],
    ['cql.serverChoice = fish', [FISH, SQUIRRELS, NOTHING]],
    ['"squirrels fish"', [SQUIRRELS]],
    ['squirrels', [SQUIRRELS]],
    ['any any "squirrels turtle"', [SQUIRRELS, TURTLE]],
    ['any = fis*', [FISH, SQUIRRELS, TURTLE, NOTHING]],
    ['any = 9780306406157', [FISH]],
    ['title any fish', [FISH, SQUIRRELS]],
    ['dc.title any fish', [FISH, SQUIRRELS]],
    ['dC.tiTlE aNy FISH', [FISH, SQUIRRELS]],
    ['dc.title cql.any fish', [FISH, SQUIRRELS]],
    ['dc.title any "squirrels zolw"', [SQUIRRELS, TURTLE]],
    ['title = "fish that"', [FISH]],
    ['title = "that fish"', []],
    ['title all "that fish"', [FISH]],
    ['title = "^squirrels"', [SQUIRRELS]],
    ['title = "fish^"', [SQUIRRELS]],
    ['title any "^the squirrels^"', [FISH]],
    ['title == "squirrels and fish"', [SQUIRRELS]],
    ['title exact fish', []],
    ['title <> "squirrels and fish"', [FISH, TURTLE, NOTHING]],
    ['title = fish*', [FISH, SQUIRRELS, TURTLE]],
    ['title = f?sh', [FISH, SQUIRRELS]],
    ['title = "squ*ls an? fish"', [SQUIRRELS]],
    ['title = "(of the"', [NOTHING]],
    ['title = "\\*kind\\*"', [NOTHING]],
    ['title any/cql.word/ignoreCase FISH', [FISH, SQUIRRELS]],
    ['author = "J.K. Wrobel"', [SQUIRRELS]],
    ['author = "Wróbel, J. K."', [SQUIRRELS]],
    ['dc.creator == "plato"', [TURTLE]],
    ['author all "ada wrobel"', [SQUIRRELS]],
    ['author = "ada wrobel"', []],
    ['author = vrobel', [SQUIRRELS]],
    ['subject = natural', [FISH, SQUIRRELS]],
    ['subject == history', [TURTLE]],
    ['isbn = 0-306-40615-2', [FISH]],
    ['bath.isbn = "978 0306 40615 7"', [FISH]],
    ['dc.identifier = 97803*', [FISH]],
    ['isbn any "9780306406157 1"', [FISH]],
    ['isbn <> 9780306406157', [SQUIRRELS, TURTLE, NOTHING]],
    ['date = 2003', [SQUIRRELS, NOTHING]],
    ['date = 2003-06', [NOTHING]],
    ['date < 2003-06', [FISH, SQUIRRELS, TURTLE]],
    ['date <= 2003-05', [FISH, SQUIRRELS, TURTLE]],
    ['date > 1999', [SQUIRRELS, NOTHING]],
    ['date >= 1999', [FISH, SQUIRRELS, NOTHING]],
    ['date <> 2003', [FISH, TURTLE]],
    ['date within "-400 1999"', [FISH, TURTLE]],
    ['dc.title any fish or dc.creator any sanderson', [FISH, SQUIRRELS]],
    ['dc.title any fish and dc.creator any sanderson', [FISH]],
    ['title = fish not author = sanderson', [SQUIRRELS]],
    ['title = zolw or title = fish not title = squirrels', [FISH, TURTLE]],
    ['title = zolw or (title = fish not title = squirrels)', [FISH, TURTLE]],
    ['dc.title any fish or (dc.creator any sanderson and dc.identifier = "id:1234567")', [FISH, SQUIRRELS]],
    ['> dc = "info:srw/context-sets/1/dc-v1.1" dc.title any fish', [FISH, SQUIRRELS]],
    ['> x = "http://zing.z3950.org/cql/bath/2.0/" x.author = plato', [TURTLE]],
    ['> "info:srw/cql-context-set/1/dc-v1.1" creator = plato', [TURTLE]],
    ['cql.allRecords = 1', [FISH, SQUIRRELS, TURTLE, NOTHING]],
    ['title = "&"', []],
  ])('answers %s', async (query, titles) => {
    const all = await found(query);
    expect(Array.isArray(all) ? all.sort() : all).toEqual([...titles].sort());
  });

  it.each<[string, readonly string[]]>([
    ['fish sortBy dc.title', [NOTHING, SQUIRRELS, FISH]],
    ['fish sortBy dc.date/sort.descending', [NOTHING, SQUIRRELS, FISH]],
    ['cql.allRecords = 1 sortBy author/ascending', [NOTHING, TURTLE, FISH, SQUIRRELS]],
    ['date > 2000 sortBy date/sort.ascending title/sort.ascending', [SQUIRRELS, NOTHING]],
  ])('puts in order: %s', async (query, titles) => {
    expect(await found(query)).toEqual(titles);
  });

  it('puts in the order of who asks for it beside the query', async () => {
    expect(await found('fish', { sortKeys: 'date,,0 title' })).toEqual([NOTHING, SQUIRRELS, FISH]);
    expect(await found('fish', { sortKeys: 'x' })).toBe(16);
  });

  it.each([
    ['""', 27],
    ['title any fish )', 13],
    ['title =', 10],
    ['"fish', 14],
    ['> dc = "http://deepcustard.org/" dc.custardDepth > 10', 15],
    ['> "http://deepcustard.org/" custardDepth > 10', 15],
    ['deep.title = x', 15],
    ['dc.custard = x', 16],
    ['cql.resultSetId = 1', 50],
    ['title near fish', 19],
    ['dc.title any/relevant fish', 20],
    ['dc.title any/ relevant /cql.string fish', 20],
    ['dc.title any/rel.algorithm=cori fish', 20],
    ['title > fish', 22],
    ['title within "a b"', 22],
    ['any == fish', 22],
    ['isbn > 1', 22],
    ['date any 2003', 22],
    ['title = "fish\\n"', 26],
    ['title = *fish', 28],
    ['any = f*sh', 28],
    ['any = ^fish', 31],
    ['title = fi^sh', 32],
    ['date = "about 1999"', 36],
    ['date = 2003-13', 36],
    ['isbn = "!"', 36],
    [Array.from({ length: 51 }, () => 'a').join(' or '), 38],
    ['dc.title any fish prox/unit=word/distance>3 dc.title any squirrel', 39],
    ['dc.title any fish or/rel.combine=sum dc.creator any sanderson', 46],
    ['fish sortBy subject', 16],
    ['fish sortBy title/sort.missingOmit', 82],
    ['x'.repeat(4_001), 12],
  ])('says by its number what is not understood (%#)', async (query, number) => {
    expect(await found(query)).toBe(number);
  });

  it.each<[Record<string, string>, number]>([
    [{ version: '3.0', query: 'a' }, 5],
    [{ version: '1.2', operation: 'scan' }, 4],
    [{ operation: 'searchRetrieve', query: 'a' }, 7],
    [{ version: '1.2', operation: 'searchRetrieve' }, 7],
    [{ query: ' ' }, 7],
    [{ query: 'a', colour: 'red' }, 8],
    [{ query: 'a', maximumRecords: 'x' }, 6],
    [{ query: 'a', startRecord: '0' }, 6],
    [{ query: 'a', startRecord: '9999999999' }, 6],
    [{ query: 'a', queryType: 'pqf' }, 6],
    [{ query: 'fish', startRecord: '4' }, 61],
    [{ query: 'fish', recordSchema: 'mods' }, 66],
    [{ query: 'fish', recordXMLEscaping: 'json' }, 71],
    [{ query: 'fish', recordXPath: '//x' }, 72],
    [{ query: 'fish', stylesheet: 'x.xsl' }, 110],
    [{ version: '1.1', operation: 'searchRetrieve', query: 'title near x' }, 19],
    [{ version: '1.2', operation: 'searchRetrieve', query: '(' }, 10],
    [{ version: '1.2', operation: 'explain', recordPacking: 'json' }, 71],
    [{ recordXMLEscaping: 'json' }, 71],
  ])('says what of a request is not understood: %j', async (parameters, number) => {
    const text = await ask(parameters);
    expect(textsOf(text, 'diag:uri')).toEqual([`info:srw/diagnostic/1/${number}`]);
  });

  it('speaks each version as it is asked, in pages', async () => {
    const old = await ask({
      ...{ version: '1.2', operation: 'searchRetrieve', query: 'fish sortBy title' },
      ...{ maximumRecords: '2', recordPacking: 'string' },
    });
    expect(elementsOf(old, 'zs:searchRetrieveResponse')[0]?.attributes).toEqual({
      'xmlns:zs': 'http://www.loc.gov/zing/srw/',
    });
    expect([textsOf(old, 'zs:version'), textsOf(old, 'zs:recordPacking')]).toEqual([
      ['1.2'],
      ['string', 'string'],
    ]);
    expect([textsOf(old, 'zs:numberOfRecords'), textsOf(old, 'zs:nextRecordPosition')]).toEqual([
      ['3'],
      ['3'],
    ]);
    const [first = ''] = textsOf(old, 'zs:recordData').map(validExchange);
    expect(first).toMatch(/^<record xmlns="http:\/\/www\.loc\.gov\/MARC21\/slim">/);
    expect(elementsOf(first, 'subfield').map(({ text }) => text)).toContain('Nothing (of the kind) /');

    const told = await ask({ version: '1.2', operation: 'explain', recordPacking: 'string' });
    expect(textsOf(told, 'zs:recordData')).toEqual([expect.stringMatching(/^<explain /)]);

    const rest = await ask({ query: 'fish sortBy title', startRecord: '3' });
    expect(rest).toContain('http://docs.oasis-open.org/ns/search-ws/sruResponse');
    expect([textsOf(rest, 'zs:recordPosition'), textsOf(rest, 'zs:recordXMLEscaping')]).toEqual([
      ['3'],
      ['xml'],
    ]);
    expect(textsOf(rest, 'zs:nextRecordPosition')).toEqual([]);
    expect(elementsOf(rest, 'leader')).toHaveLength(1);
    expect(textsOf(await ask({ query: 'fish', maximumRecords: '0' }), 'zs:numberOfRecords')).toEqual(['3']);
  });

  it('explains itself, in every version', async () => {
    for (const [parameters, version] of [
      [{}, '2.0'],
      [{ operation: 'explain', version: '1.1' }, '1.1'],
      [{ operation: 'explain', version: '1.2' }, '1.2'],
    ] as const) {
      const text = await ask(parameters);
      expect(elementsOf(text, 'serverInfo')[0]?.attributes['version']).toBe(version);
      expect(textsOf(text, 'host')).toEqual(['library.example.org']);
      expect(textsOf(text, 'database')).toEqual(['sru']);
      expect(textsOf(text, 'description').join()).toContain(`${SITE}/oai`);
      // What it names is answered.
      for (const { attributes, text: base } of elementsOf(text, 'name')) {
        const query = `${attributes['set']}.${base} = 2003`;
        expect([query, Array.isArray(await found(query))]).toEqual([query, true]);
      }
    }
  });

  it('has an answer to whatever it is asked', async () => {
    const piece = fc.constantFrom(
      ...['fish', '"a b"', 'title', 'isbn', 'date', 'any', ' ', ' ', '=', '<', '>', '/', '(', ')', '*', '?'],
      ...['^', '\\', ' and ', ' or ', ' not ', ' sortBy ', 'within', '2003', "'", '\0', ':', '&', '|', '!'],
      ...['ż', '–', '"'],
    );
    await forAllInTime([fc.array(piece, { maxLength: 12 })], { numRuns: 80 }, async (pieces) => {
      await valid(await fetch(`${product.url}/sru?query=${encodeURIComponent(pieces.join(''))}`));
    });
    await forAllInTime(
      [fc.constantFrom('title', 'author', 'subject', 'any', 'isbn', 'date'), fc.string({ unit: 'binary' })],
      { numRuns: 80 },
      async (index, term) => {
        const query = `${index} = "${term.replace(/["\\]/g, '\\$&')}"`;
        await valid(
          await fetch(`${product.url}/sru`, { method: 'POST', body: new URLSearchParams({ query }) }),
        );
      },
    );
  });
});
