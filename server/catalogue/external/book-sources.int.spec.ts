import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BookSource, BookSources, Harvest } from '#contracts/catalogue/book-sources.js';
import type { MarcImport } from '#contracts/catalogue/marc-import.js';
import { endOfDay, localDay } from '#contracts/local-day.js';
import { startBookServices } from '../../../test-support/services/book-services.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const ISBN = '9780156027601';

/** A record as a national library writes it, with the prefix of its answer. */
const marc = (title: string, isbn: string, control = title) => `<marc:record>
  <marc:leader>00000nam a2200000 i 4500</marc:leader>
  <marc:controlfield tag="001">${control}</marc:controlfield>
  <marc:controlfield tag="003">NL</marc:controlfield>
  <marc:controlfield tag="008">020101s2002    pl            000 0 pol d</marc:controlfield>
  <marc:datafield tag="020" ind1=" " ind2=" "><marc:subfield code="a">${isbn}</marc:subfield></marc:datafield>
  <marc:datafield tag="100" ind1="1" ind2=" "><marc:subfield code="a">Le Guin, Ursula K.</marc:subfield></marc:datafield>
  <marc:datafield tag="245" ind1="1" ind2="0"><marc:subfield code="a">${title} /</marc:subfield></marc:datafield>
  <marc:datafield tag="264" ind1=" " ind2="1"><marc:subfield code="b">Czytelnik,</marc:subfield><marc:subfield code="c">2002.</marc:subfield></marc:datafield>
</marc:record>`;
const sruRecord = (data: string, packing = 'xml') => `<zs:record><zs:recordSchema>marcxml</zs:recordSchema>
  <zs:recordPacking>${packing}</zs:recordPacking><zs:recordData>${data}</zs:recordData></zs:record>`;
const sruAnswer = (...records: string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/" xmlns:marc="http://www.loc.gov/MARC21/slim">
<zs:version>1.1</zs:version><zs:numberOfRecords>${records.length}</zs:numberOfRecords>
${records.length > 0 ? `<zs:records>${records.join('')}</zs:records>` : ''}</zs:searchRetrieveResponse>`;
const oaiRecord = (id: string, data: string | null) => `<record>
  <header${data === null ? ' status="deleted"' : ''}><identifier>oai:nl.example:${id}</identifier><datestamp>2026-11-26</datestamp></header>
  ${data === null ? '' : `<metadata>${data}</metadata>`}</record>`;
const oaiAnswer = (inner: string, day = '2026-11-26') => `<?xml version="1.0"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:marc="http://www.loc.gov/MARC21/slim">
<responseDate>${day}T01:02:03Z</responseDate><request verb="ListRecords">http://nl.example/oai</request>${inner}</OAI-PMH>`;
const listed = (records: string, token = '') =>
  oaiAnswer(`<ListRecords>${records}<resumptionToken>${token}</resumptionToken></ListRecords>`);

type Reply = (request: IncomingMessage, response: ServerResponse) => void;
const xml =
  (text: string): Reply =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/xml' }).end(text);

describe('sources of books', () => {
  const services = shared(() => startBookServices());
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, {
      environment: {
        OPEN_LIBRARY_URL: `${services.url}/ol`,
        GOOGLE_BOOKS_URL: `${services.url}/google`,
        GOOGLE_BOOKS_API_KEY: 'the-key-of-google',
        PRIVATE_HOSTS: '127.0.0.1',
      },
      jobs: { rounds: false },
    }),
  );
  const admin = shared(() => product.account('Admin'));
  beforeEach(() => services.reset());

  const common = { id: null, timeLimit: 5000, on: true };
  const sru = (more: object = {}): BookSource => ({
    ...{ ...common, kind: 'sru', name: 'National Library', address: `${services.url}/sru?database=nl` },
    ...{ index: 'bath.isbn', format: 'marcxml', ...more },
  });
  const oai = (more: object = {}): BookSource => ({
    ...{ ...common, kind: 'oai-pmh', name: 'Union catalogue', address: `${services.url}/oai` },
    ...{ format: 'marc21', set: 'books', takesNew: false, ...more },
  });
  const openLibrary: BookSource = { ...common, kind: 'open-library', name: 'Open Library' };
  const google: BookSource = { ...common, kind: 'google-books', name: 'Google Books' };

  const view = async () => (await admin.get('BookSource')).body as BookSources;
  const name = async (...sources: BookSource[]) => {
    const { version } = await view();
    const answer = await admin.put('BookSource', { version, sources });
    expect(answer).toMatchObject({ status: 200, body: { version: version + 1 } });
    return answer.body as BookSources;
  };
  const find = (isbn = ISBN) => admin.get(`BookExternalFetch/fetch-from-external?isbn=${isbn}`);
  const outcomesOf = async () => {
    const { body } = await admin.get(`BookSource/try?isbn=${ISBN}`);
    return (body as { outcome: string }[]).map(({ outcome }) => outcome);
  };

  it('are the usual ones until somebody changes them, who is named', async () => {
    const usual = await view();
    expect(usual).toMatchObject({ version: 0, changedAt: null, changedBy: null, harvests: [] });
    expect(usual.sources.map(({ kind, on }) => [kind, on])).toEqual([
      ['open-library', true],
      ['google-books', true],
    ]);
    const changed = await name(google, openLibrary);
    expect(changed.changedAt).not.toBeNull();
    expect(changed.changedBy).not.toBeNull();
    expect(changed.sources.map((source) => source.name)).toEqual(['Google Books', 'Open Library']);
    expect(changed.sources.every(({ id }) => id !== null)).toBe(true);
    // Made to what somebody else has replaced.
    expect(await admin.put('BookSource', { version: 0, sources: [] })).toMatchObject(
      refusal(409, 'ConcurrentChange'),
    );
    expect((await view()).sources).toHaveLength(2);
  });

  it('are refused with another address than of a web server, no name or time, or a question of its own', async () => {
    const { version } = await view();
    for (const wrong of [
      { address: 'ftp://nl.example/' },
      { address: 'https://me:secret@nl.example/' },
      ...[{ name: ' ' }, { timeLimit: 0 }, { index: 'isbn=1 or x' }],
    ])
      expect(await admin.put('BookSource', { version, sources: [sru(wrong)] })).toMatchObject({
        status: 400,
      });
  });

  describe('that speak SRU', () => {
    it('give a book of MARCXML, asked by both forms of its number', async () => {
      await name(sru());
      services.reply(
        '/sru',
        xml(sruAnswer(sruRecord(marc('Other', '9788308049051')), sruRecord(marc('Solaris', ISBN)))),
      );
      expect(await find()).toMatchObject({
        status: 200,
        body: {
          title: 'Solaris',
          authors: [{ id: null, firstname: 'Ursula K.', lastname: 'Le Guin' }],
          publisher: { name: 'Czytelnik' },
          published: '2002',
          language: 'pl',
          asked: [{ name: 'National Library', outcome: 'found' }],
        },
      });
      const asked = new URL(services.asked[0] ?? '', services.url);
      expect(services.asked[0]).toContain('database=nl');
      expect(asked.searchParams.get('operation')).toBe('searchRetrieve');
      expect(asked.searchParams.get('query')).toBe('bath.isbn=9780156027601 or bath.isbn=0156027607');
      expect(asked.searchParams.get('recordSchema')).toBe('marcxml');
      // As a text.
      const escaped = marc('Fiasco', ISBN).replaceAll('<', '&lt;').replaceAll('marc:', '');
      services.reply('/sru', xml(sruAnswer(sruRecord(escaped, 'string'))));
      expect((await find()).body).toMatchObject({ title: 'Fiasco' });
    });

    it.each<[string, string, Reply]>([
      ['no record', 'unknown', xml(sruAnswer())],
      ['another book that mentions it', 'unknown', xml(sruAnswer(sruRecord(marc('Other', '9788308049051'))))],
      ['a damaged record', 'unknown', xml(sruAnswer(sruRecord('<record><leader>x</leader></record>')))],
      ['broken XML', 'failed', xml('<zs:searchRetrieveResponse><zs:records>')],
      ['a page', 'failed', xml('<html><body>Hello</body></html>')],
      [
        'a diagnostic',
        'failed',
        xml(`<r:searchRetrieveResponse xmlns:r="http://www.loc.gov/zing/srw/"><r:diagnostics>
          <d:diagnostic xmlns:d="http://www.loc.gov/zing/srw/diagnostic/"><d:uri>info:srw/diagnostic/1/16</d:uri>
          <d:message>Unsupported index</d:message></d:diagnostic></r:diagnostics></r:searchRetrieveResponse>`),
      ],
      ['a status', 'failed', (_request, response) => void response.writeHead(500).end()],
      ['nothing at all', 'timed-out', () => undefined],
      [
        'an answer that breaks off',
        'failed',
        (_request, response) => {
          response.writeHead(200, { 'content-length': '5000' });
          response.write('<zs:');
          response.socket?.destroy();
        },
      ],
      [
        'an answer that drips',
        'timed-out',
        (_request, response) => {
          const timer = setInterval(() => response.write('<!-- -->'), 50);
          response.on('close', () => clearInterval(timer));
        },
      ],
      [
        'an answer without an end',
        'failed',
        (_request, response) => {
          const more = () => void (response.write('<a/>'.repeat(20_000)) && setImmediate(more));
          response.on('drain', more).on('error', () => undefined);
          more();
        },
      ],
      [
        'a redirect into the network',
        'private',
        (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      ],
    ])('and answer with %s are told as %s', async (_what, outcome, reply) => {
      await name(sru(outcome === 'timed-out' ? { timeLimit: 200 } : {}));
      services.reply('/sru', reply);
      expect(await outcomesOf()).toEqual([outcome]);
      expect((await find()).body).toMatchObject({
        code: outcome === 'unknown' ? 'ExternalBookNotFound' : 'ExternalServiceUnavailable',
        detail: expect.stringContaining('National Library'),
      });
    });
  });

  it('are asked in their order, each for its time, until one knows the book', async () => {
    const silent = sru({ timeLimit: 200 });
    await name(silent, { ...openLibrary, on: false }, google, { ...silent, name: 'Never asked' });
    services.reply('/sru', () => undefined);
    services.replyJson('/google', {
      totalItems: 1,
      items: [{ volumeInfo: { title: 'Solaris', industryIdentifiers: [{ identifier: ISBN }] } }],
    });
    expect((await find()).body).toMatchObject({
      title: 'Solaris',
      asked: [
        { name: 'National Library', outcome: 'timed-out' },
        { name: 'Google Books', outcome: 'found' },
      ],
    });
    expect(services.asked.filter((address) => address.startsWith('/sru'))).toHaveLength(1);
    expect(services.asked.filter((address) => address.startsWith('/ol'))).toEqual([]);
    expect(await outcomesOf()).toEqual(['timed-out', 'unknown', 'found', 'timed-out']);
  });

  it('never show a key, which is a header for Google alone', async () => {
    await name(google);
    const headers: unknown[] = [];
    const elsewhere = await startBookServices();
    try {
      services.reply('/google', (request, response) => {
        headers.push(request.headers['x-goog-api-key']);
        response.writeHead(302, { location: `${elsewhere.url}/` }).end();
      });
      elsewhere.reply('/', (request, response) => {
        headers.push(request.headers['x-goog-api-key']);
        response.writeHead(200).end('{"totalItems":0}');
      });
      expect((await find()).status).toBe(404);
      expect(headers).toEqual(['the-key-of-google', undefined]);
      expect(services.asked.join()).not.toContain('the-key');
      expect(JSON.stringify(await view())).not.toContain('the-key');
      expect((await product.lines()).join('\n')).not.toContain('the-key');
    } finally {
      await elsewhere.close();
    }
  });

  it('in the library’s own network are asked only where the operator named them', async () => {
    await name(
      sru({ address: `${services.url.replace('127.0.0.1', 'localhost')}/sru` }),
      sru({ address: `${services.url.replace('127.0.0.1', '[::1]')}/sru` }),
      sru({ address: 'http://169.254.169.254/latest/meta-data/' }),
    );
    expect(await outcomesOf()).toEqual(['private', 'private', 'private']);
    expect(services.asked).toEqual([]);
  });

  it('that cannot be reached are told at once, and apart from those that know nothing', async () => {
    const gone = await startBookServices();
    await gone.close();
    await name(
      sru({ timeLimit: 30_000, address: `${gone.url}/sru` }),
      sru({ timeLimit: 30_000, address: 'http://nowhere.invalid/sru' }),
    );
    const begun = performance.now();
    expect(await find()).toMatchObject(
      refusal(
        503,
        'ExternalServiceUnavailable',
        'None of the sources can be reached: the server seems to be offline. Please fill in the details by hand.',
      ),
    );
    expect(performance.now() - begun).toBeLessThan(5000);
    await name(sru({ address: `${gone.url}/sru` }), openLibrary);
    services.replyJson('/ol/api/books', {});
    expect(await find()).toMatchObject(
      refusal(
        404,
        'ExternalBookNotFound',
        'National Library cannot be reached. Open Library does not know this ISBN. Please fill in the details by hand.',
      ),
    );
    await name();
    expect((await find()).body).toMatchObject({
      detail: expect.stringContaining('No source is switched on'),
    });
  });

  describe('that are followed by OAI-PMH', () => {
    const followed = async (source: BookSource | undefined) => {
      const last = async () => (await view()).harvests.find(({ sourceId }) => sourceId === source?.id);
      const before = await last();
      expect((await admin.post(`BookSource/${source?.id}/harvest`)).status).toBe(202);
      return waitFor(async () => {
        const harvest = await last();
        return harvest && harvest.endedAt !== null && harvest.endedAt !== before?.endedAt
          ? harvest
          : undefined;
      });
    };
    const imported = async (harvest: Harvest) =>
      (await admin.get(`MarcImport/${harvest.importId}`)).body as MarcImport;
    type Offered = [id: string, data: string | null];
    /** Offers records, or says that they were deleted. */
    const page = (records: Offered[], token?: string) =>
      xml(listed(records.map((each) => oaiRecord(...each)).join(''), token));
    const offer = (...records: Offered[]) => services.reply('/oai', page(records));
    const bookOf = async (isbn: string) =>
      ((await admin.get(`Book?SearchTerm=${isbn}`)).body as { items: { title: string }[] }).items;

    it('wait page by page as an import, with what was deleted, and next time from their last day', async () => {
      const [source] = (await name(oai())).sources;
      let busy = 2;
      services.reply('/oai', (request, response) => {
        const address = new URL(request.url ?? '', services.url);
        if (busy > 0) {
          busy -= 1;
          response.writeHead(503, { 'retry-after': busy === 0 ? new Date().toUTCString() : '0' }).end();
          return;
        }
        const isSecond = address.searchParams.get('resumptionToken') === 'page & 2';
        const [first, second]: Offered[][] = [
          [
            ['1', marc('Lalka', '9788308049051', 'n1')],
            ['2', marc('Pharaoh', '9780306406157', 'n2')],
          ],
          [
            ['3', null],
            ['4', '<oai_dc>Not of MARC</oai_dc>'],
          ],
        ];
        (isSecond ? page(second ?? []) : page(first ?? [], 'page &amp; 2'))(request, response);
      });
      const harvest = await followed(source);
      expect(harvest).toMatchObject({ outcome: null, records: 4, deleted: 1, importId: expect.any(String) });
      expect(services.asked.at(-2)).toBe('/oai?verb=ListRecords&metadataPrefix=marc21&set=books');
      expect(services.asked.at(-1)).toBe('/oai?verb=ListRecords&resumptionToken=page+&+2');
      expect(await imported(harvest)).toMatchObject({
        name: 'Union catalogue',
        state: 'staged',
        outcomes: { new: 2, refused: 1 },
      });
      const { body } = await admin.get(`MarcImport/${harvest.importId}/rows?Outcome=refused`);
      expect(body.items).toMatchObject([
        { title: 'oai:nl.example:3', reason: expect.stringMatching(/deleted/) },
      ]);
      expect(await bookOf('9788308049051')).toEqual([]);

      services.reply('/oai', xml(oaiAnswer('<error code="noRecordsMatch">None</error>', '2026-11-27')));
      expect(await followed(source)).toMatchObject({ outcome: null, records: 0, importId: null });
      expect(services.asked.at(-1)).toBe(
        '/oai?verb=ListRecords&metadataPrefix=marc21&from=2026-11-26&set=books',
      );
      // Another set begins at its beginning.
      const [moved] = (await name({ ...oai({ set: 'maps' }), id: source?.id ?? null })).sources;
      expect((await view()).harvests).toEqual([]);
      await followed(moved);
      expect(services.asked.at(-1)).toBe('/oai?verb=ListRecords&metadataPrefix=marc21&set=maps');
    });

    it('may add new books by themselves, and never change one', async () => {
      const [source] = (await name(oai({ takesNew: true }))).sources;
      offer(['7', marc('Ferdydurke', '9788308042588', 'n7')]);
      const first = await followed(source);
      await waitFor(async () => (await imported(first)).state === 'done');
      expect(await bookOf('9788308042588')).toMatchObject([{ title: 'Ferdydurke' }]);
      const kosmos: Offered = ['8', marc('Kosmos', '9788308042595', 'n8')];
      offer(['7', marc('Ferdydurke: a novel', '9788308042588', 'n7')], kosmos);
      const second = await followed(source);
      await waitFor(async () => (await imported(second)).state === 'done');
      expect(await imported(second)).toMatchObject({
        done: { added: 1, changed: 0 },
        outcomes: { changed: 1 },
      });
      expect(await bookOf('9788308042588')).toMatchObject([{ title: 'Ferdydurke' }]);
      // What the catalogue has already is no import.
      offer(kosmos);
      expect(await followed(source)).toMatchObject({ outcome: null, records: 1, importId: null });
    });

    it.each<[string, string, string, Reply]>([
      [
        'an error',
        'failed',
        'badArgument No such set',
        xml(oaiAnswer('<error code="badArgument">No such set</error>')),
      ],
      ['broken XML', 'failed', 'the answer is no XML', xml('<OAI-PMH><ListRecords>')],
      [
        'a list that never ends',
        'failed',
        'the list goes round and round',
        xml(listed(oaiRecord('1', null), 'again')),
      ],
      ['nothing', 'timed-out', 'no answer in time', () => undefined],
      [
        'a wait of a day',
        'failed',
        'status 503',
        (_request, response) => void response.writeHead(503, { 'retry-after': '86400' }).end(),
      ],
    ])(
      'say what went wrong where they answer with %s, and leave no import',
      async (_what, outcome, detail, reply) => {
        const [source] = (await name(oai(outcome === 'timed-out' ? { timeLimit: 200 } : {}))).sources;
        services.reply('/oai', reply);
        expect(await followed(source)).toMatchObject({ outcome, detail, importId: null });
        const { body } = await admin.get('MarcImport');
        expect((body as MarcImport[]).every(({ state }) => state !== 'reading')).toBe(true);
      },
    );

    it('are followed by themselves once a day of the library, where they are on', async () => {
      await name(oai(), oai({ set: 'maps' }), oai({ set: 'off', on: false }));
      services.reply('/oai', xml(oaiAnswer('<error code="noRecordsMatch">None</error>')));
      const { TIME_ZONE } = product.settings;
      const round = async () => {
        services.asked.length = 0;
        await product.runJob('upkeep', 'harvest', {});
        return services.asked.map((address) => address.replace(/^.*&set=/, ''));
      };
      const today = localDay(clock.now().getTime(), TIME_ZONE);
      expect(await round()).toEqual(['books', 'maps']);
      await clock.forward(endOfDay(today, TIME_ZONE) - clock.now().getTime() - 60_000);
      expect(await round()).toEqual([]);
      await clock.forward(2 * 60_000);
      expect(await round()).toEqual(['books', 'maps']);
      expect(await round()).toEqual([]);
    });
  });
});
