import { validExchange } from '../../../../test-support/services/exchange-schema.js';
import { startProduct } from '../../../../test-support/product/product.js';
import { addNewBooks } from '../../../../test-support/product/new-books.js';
import { shared } from '../../../../test-support/shared.js';
import { elementsOf, textsOf } from '../../../../test-support/services/xml-elements.js';

const SITE = 'https://library.example.org';

describe('the catalogue for harvesters', () => {
  const product = shared(() => startProduct(undefined, { environment: { PUBLIC_URL: SITE } }));
  const admin = shared(() => product.account('Admin'));

  const ask = async (query: string, init: RequestInit = {}) => {
    const answer = await fetch(`${product.url}/oai${query === '' ? '' : `?${query}`}`, init);
    expect([query, answer.status, answer.headers.get('content-type')]).toEqual([
      query,
      200,
      'text/xml; charset=utf-8',
    ]);
    return validExchange(await answer.text());
  };
  const errorOf = async (query: string) =>
    elementsOf(await ask(query), 'error').map(({ attributes }) => attributes['code']);
  const nameOf = (id: number) => `oai:library.example.org:${id}`;
  const record = (id: number, prefix = 'oai_dc') =>
    ask(`verb=GetRecord&identifier=${nameOf(id)}&metadataPrefix=${prefix}`);
  const sinceQuery = (from: string) => `verb=ListIdentifiers&metadataPrefix=oai_dc&from=${from}`;
  /** What changed since, as a harvester that remembers when it was answered asks for it. */
  const since = async (from: string) => textsOf(await ask(sinceQuery(from)), 'identifier');
  const answered = async () => textsOf(await ask('verb=Identify'), 'responseDate')[0] ?? '';
  /** As if everything until now were a minute old: stamps are of whole seconds. What is being changed is left out. */
  const minuteLater = async () => {
    const now = await answered();
    await product.rows(`update harvest_record set stamped_at = stamped_at - interval '1 minute'
       where book_id in (select book_id from harvest_record for update skip locked)`);
    return now;
  };
  const bookOf = async (title: string) => {
    const rows = await product.rows<{ id: number }>('select id from book where title = $1', title);
    return rows[0]?.id ?? 0;
  };

  it('says what it is', async () => {
    const text = await ask('verb=Identify');
    expect(textsOf(text, 'baseURL')).toEqual([`${SITE}/oai`]);
    expect(textsOf(text, 'request')).toEqual([`${SITE}/oai`]);
    expect(textsOf(text, 'deletedRecord')).toEqual(['persistent']);
    expect(textsOf(text, 'granularity')).toEqual(['YYYY-MM-DDThh:mm:ssZ']);
    expect(textsOf(text, 'adminEmail')).toEqual(['postmaster@library.example.org']);
    expect(textsOf(await ask('verb=ListMetadataFormats'), 'metadataPrefix')).toEqual(['oai_dc', 'marcxml']);
  });

  it('gives a record in both forms, without what is the library’s own', async () => {
    await addNewBooks(product.database, [
      {
        isbn: '9780441172719',
        title: 'Dune <&> "Arrakis"',
        authors: [
          { firstname: 'Frank', lastname: 'Herbert' },
          { firstname: '—', lastname: 'Plato' },
        ],
        description: 'Sand,\u0001 and more.',
        genres: ['Science fiction'],
        price: 3990,
        shelfMarks: ['A 3'],
      },
    ]);
    const id = await bookOf('Dune <&> "Arrakis"');
    const dublin = await record(id);
    expect(textsOf(dublin, 'dc:title')).toEqual(['Dune <&> "Arrakis"']);
    expect(textsOf(dublin, 'dc:creator')).toEqual(['Herbert, Frank', 'Plato']);
    expect(textsOf(dublin, 'dc:description')).toEqual(['Sand, and more.']);
    expect(textsOf(dublin, 'dc:identifier')).toEqual([
      `${SITE}/book/${id}-dune-arrakis`,
      'urn:isbn:9780441172719',
    ]);
    const marc = await record(id, 'marcxml');
    expect(elementsOf(marc, 'datafield').map(({ attributes }) => attributes['tag'])).toEqual([
      ...['020', '100', '245', '264', '520', '655', '700', '856'],
    ]);
    expect(marc).not.toContain('A 3');
    expect(marc).not.toContain('39.90');
    expect(await errorOf(`verb=ListMetadataFormats&identifier=${nameOf(id)}`)).toEqual([]);
  });

  it('keeps to itself what a record that came has for the library alone', async () => {
    const id = await product.book(1, 'Given');
    const field = (tag: string, code: string, text: string) =>
      `<datafield tag="${tag}" ind1="1" ind2=" "><subfield code="${code}">${text}</subfield></datafield>`;
    const kept = `<record><leader>00000nam a2200000 i 4500</leader><controlfield tag="001">k1</controlfield>${[
      field('245', 'a', 'Given'),
      field('541', 'a', 'Jan Kowalski'),
      field('504', '9', 'Bibliography'),
      field('952', 'x', 'not for loan'),
      field('590', 'a', 'torn'),
      field('500', '@', 'odd'),
    ].join('')}<controlfield tag="005">20010203</controlfield></record>`;
    await product.rows(
      `insert into marc_record (book_id, control, agency, form, bytes) values ($1, 'k1', '', 'marcxml', $2)`,
      id,
      Buffer.from(kept),
    );
    const marc = await record(id, 'marcxml');
    for (const secret of ['Kowalski', 'not for loan', 'torn', 'odd']) expect(marc).not.toContain(secret);
    expect(marc).toContain('Bibliography');
    expect(elementsOf(marc, 'controlfield').map(({ attributes }) => attributes['tag'])).toEqual([
      '001',
      '005',
      '008',
    ]);
    expect(marc.indexOf('controlfield tag="005"')).toBeLessThan(marc.indexOf('datafield'));
  });

  it('says again what changed, whatever of the record it was, and nothing else', async () => {
    await addNewBooks(product.database, [
      {
        title: 'Changed',
        authors: [{ firstname: 'Al', lastname: 'Written' }],
        genres: ['Odd genre'],
        publisher: 'Odd house',
      },
      { title: 'Other' },
    ]);
    const id = await bookOf('Changed');
    for (const [statement, said] of [
      [`update book set title = 'Changed again', version = version + 1 where id = $1`, true],
      [`update book set description = 'More' where id = $1`, true],
      [
        `update author set lastname = 'Writ' where id in (select author_id from book_author where book_id = $1)`,
        true,
      ],
      [
        `update genre set name = 'Even' where id in (select genre_id from book_genre where book_id = $1)`,
        true,
      ],
      [`update publisher set name = 'Home' where id in (select publisher_id from book where id = $1)`, true],
      [`delete from book_genre where book_id = $1`, true],
      [
        `insert into marc_record (book_id, agency, form, bytes) values ($1, '', 'marcxml', '<record><leader>00000nam a2200000 i 4500</leader></record>')`,
        true,
      ],
      ['update book set copies_available = 0 where id = $1', false],
      ['update book set price = 5 where id = $1', false],
    ] as const) {
      const from = await minuteLater();
      await product.rows(statement, id);
      const found = said ? await since(from) : await errorOf(sinceQuery(from));
      expect([statement, found]).toEqual([statement, [said ? nameOf(id) : 'noRecordsMatch']]);
    }
  });

  it('misses nothing that is committed after an answer, however early it began', async () => {
    const id = await product.book(1, 'Late');
    await minuteLater();
    const connection = await product.database.connect();
    try {
      await connection.query('begin');
      await connection.query(`update book set title = 'Later' where id = $1`, [id]);
      await connection.query(
        `insert into book (isbn, title, copies_total, copies_available) values ('late-1', 'New', 1, 1)`,
      );
      const from = await minuteLater();
      expect(await errorOf(sinceQuery(from))).toEqual(['noRecordsMatch']);
      const next = await minuteLater();
      await connection.query('commit');
      expect(await since(next)).toEqual([nameOf(id), nameOf(await bookOf('New'))]);
    } finally {
      connection.release();
    }
  });

  it('keeps saying that a book is gone, and takes it back where a merge is undone', async () => {
    const [kept, gone] = [await product.book(1, 'Twin'), await product.book(1, 'Twin')];
    const from = await minuteLater();
    const { status, body } = await admin.post('Book/merge', { keep: kept, merge: [gone] });
    expect([status, body]).toMatchObject([200, {}]);
    const text = await record(gone);
    expect(elementsOf(text, 'header').map(({ attributes }) => attributes['status'])).toEqual(['deleted']);
    expect(text).not.toContain('<metadata>');
    expect(await since(from)).toContain(nameOf(gone));
    expect((await admin.post(`Merge/${body.id}/undo`)).status).toBe(200);
    expect(textsOf(await record(gone), 'dc:title')).toEqual(['Twin']);
    expect((await admin.delete(`Book/${gone}`)).status).toBe(200);
    expect(elementsOf(await record(gone), 'header')[0]?.attributes).toEqual({ status: 'deleted' });
  });

  it('has the lists that the library shows as sets, and keeps the others to itself', async () => {
    expect(await errorOf('verb=ListSets')).toEqual(['noSetHierarchy']);
    const made = async (name: string, onHome: boolean) => {
      const { body } = await admin.post('ReadingList', { name, description: '', onHome });
      return body as { id: string };
    };
    const [shown, hidden] = [await made('Shown', true), await made('To be sold', false)];
    const id = await product.book(1, 'Listed');
    for (const list of [shown, hidden]) await admin.post(`ReadingList/${list.id}/books`, { bookId: id });
    expect(textsOf(await ask('verb=ListSets'), 'setSpec')).toEqual([`list-${shown.id}`]);
    expect(textsOf(await record(id), 'setSpec')).toEqual([`list-${shown.id}`]);
    const inSet = (list: string) => `verb=ListIdentifiers&metadataPrefix=marcxml&set=list-${list}`;
    expect(textsOf(await ask(inSet(shown.id)), 'identifier')).toEqual([nameOf(id)]);
    expect(await errorOf(inSet(hidden.id))).toEqual(['noRecordsMatch']);
    expect(await errorOf(`${inSet(shown.id)}x`)).toEqual(['noRecordsMatch']);
    const from = await minuteLater();
    await admin.delete(`ReadingList/${shown.id}/books/${id}`);
    expect(await since(from)).toEqual([nameOf(id)]);
    await admin.post(`ReadingList/${shown.id}/books`, { bookId: id });
    expect((await admin.delete(`Book/${id}`)).status).toBe(200);
    const text = await ask(inSet(shown.id));
    expect(elementsOf(text, 'header').map(({ attributes }) => attributes)).toEqual([{ status: 'deleted' }]);
    await admin.delete(`ReadingList/${shown.id}`);
    await admin.delete(`ReadingList/${hidden.id}`);
  });

  it('gives a long list in pages, each record once, whatever changes between', async () => {
    await addNewBooks(
      product.database,
      Array.from({ length: 450 }, (_, at) => ({ title: `Page ${at}` })),
    );
    const rows = await product.rows<{ id: number }>('select book_id as id from harvest_record order by 1');
    const seen: string[] = [];
    let pages = 0;
    for (let query = 'verb=ListRecords&metadataPrefix=oai_dc'; ;) {
      const text = await ask(query);
      seen.push(...textsOf(text, 'identifier'));
      const [token] = elementsOf(text, 'resumptionToken');
      pages += 1;
      if (!token?.text) break;
      await product.rows(
        `update book set title = title || '!' where id = any($1::integer[])`,
        rows.filter((_, at) => at % 50 === 7).map(({ id }) => id),
      );
      query = `verb=ListRecords&resumptionToken=${token.text}`;
    }
    expect(seen).toEqual(rows.map(({ id }) => nameOf(id)));
    expect(pages).toBe(3);
  });

  it.each([
    ['', 'badVerb'],
    ['verb=Everything', 'badVerb'],
    ['verb=Identify&verb=Identify', 'badVerb'],
    ['verb=__proto__', 'badVerb'],
    ['verb=Identify&from=2020-01-01', 'badArgument'],
    ['verb=ListRecords', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&__proto__=1', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-02-30', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01&until=2020-01-02T00:00:00Z', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-02&until=2020-01-01', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2020-01-01T00:00:00%2B01:00', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&until=1999-12-31', 'noRecordsMatch'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=9999-12-31', 'noRecordsMatch'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=0000-01-01&until=0000-12-31', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=0001-01-01&until=0001-12-31', 'noRecordsMatch'],
    ['verb=ListRecords&metadataPrefix=toString', 'cannotDisseminateFormat'],
    ['verb=ListRecords&resumptionToken=x&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListRecords&resumptionToken=x', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=%00%ff', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=e30', 'badResumptionToken'],
    ['verb=ListSets&resumptionToken=x', 'badResumptionToken'],
    ['verb=GetRecord&identifier=oai:library.example.org:99999999999&metadataPrefix=oai_dc', 'idDoesNotExist'],
    ['verb=GetRecord&identifier=oai:library.example.org:2000000000&metadataPrefix=oai_dc', 'idDoesNotExist'],
    ['verb=GetRecord&identifier=oai:other.example.org:1&metadataPrefix=oai_dc', 'idDoesNotExist'],
    ['verb=GetRecord&identifier=%00&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListMetadataFormats&identifier=urn:x:y', 'idDoesNotExist'],
  ])('answers %s by %s', async (query, code) => {
    expect(await errorOf(query)).toEqual([code]);
  });

  it('is asked by POST too, and by nothing else', async () => {
    const posted = await ask('', { method: 'POST', body: new URLSearchParams({ verb: 'Identify' }) });
    expect(textsOf(posted, 'protocolVersion')).toEqual(['2.0']);
    expect(elementsOf(await ask('', { method: 'POST' }), 'error')[0]?.attributes).toEqual({
      code: 'badVerb',
    });
    expect((await fetch(`${product.url}/oai`, { method: 'PUT' })).status).toBe(404);
    const long = await fetch(`${product.url}/oai`, {
      method: 'POST',
      body: new URLSearchParams({ verb: 'x'.repeat(20_000) }),
    });
    expect(long.status).toBe(413);
  });
});
