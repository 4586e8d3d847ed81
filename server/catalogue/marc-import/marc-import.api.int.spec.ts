import type { RowsTaken } from '#contracts/catalogue/book-rows.js';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarcImport } from '#contracts/catalogue/marc-import.js';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { validExchange } from '../../../test-support/services/exchange-schema.js';
import { openLive } from '../../../test-support/product/live-socket.js';
import { startProduct } from '../../../test-support/product/product.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';
import { writeIso2709 } from '../marc/iso-2709.js';
import { dataField } from '../marc/marc-fields.js';
import type { MarcRecord } from '../marc/record.js';

const record = (control: string, title: string, isbn?: string): MarcRecord => ({
  leader: '00000nam a2200000 i 4500',
  fields: [
    { tag: '001', value: control },
    ...(isbn === undefined ? [] : [dataField('020', '  ', ['a', isbn])]),
    dataField('245', '00', ['a', `${title} /`]),
  ],
});

const product = shared(() => startProduct(undefined, { jobs: { rounds: false } }));
const admin = shared(() => product.account('Admin'));

describe('imports of records, over HTTP', () => {
  const live = shared(() => openLive(product.url, admin.token));

  const upload = (bytes: Uint8Array, name = 'książki.mrc', field = IMPORT_FILE_FIELD) => {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), name);
    return admin.send('POST', 'MarcImport', form);
  };
  const ended = (id: string, state: MarcImport['state']) =>
    waitFor(async () => {
      const { body } = await admin.get(`MarcImport/${id}`);
      return (body as MarcImport).state === state && (body as MarcImport);
    });
  const exported = async (query: string) => {
    const answer = await fetch(`${product.url}/api/Export/books?${query}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('are read, chosen, done by a job that tells how far it is, and undone', async () => {
    const told: string[] = [];
    live.on('importProgress', ({ state }) => told.push(state));
    const [first, second] = await addNewBooks(product.database, [
      { title: 'One', isbn: '9780306406157' },
      { title: 'Other', isbn: '9788308049051' },
    ]);
    const unsure: MarcRecord = {
      ...record('r3', 'One'),
      fields: [...record('r3', 'One', first?.isbn).fields, dataField('020', '  ', ['a', second?.isbn ?? ''])],
    };
    const { status, body } = await upload(
      Buffer.concat([record('r1', 'Fiasco'), record('r2', 'Eden'), unsure].map(writeIso2709)),
    );
    expect(status).toBe(201);
    const { id } = body;
    expect((await admin.get('MarcImport')).body).toMatchObject([
      {
        id,
        name: 'książki.mrc',
        state: 'staged',
        startedBy: expect.any(String),
        outcomes: { new: 2, unsure: 1 },
        chosen: 2,
      },
    ]);
    const rows = async (query = '') => (await admin.get(`MarcImport/${id}/rows${query}`)).body;
    expect(await rows('?Outcome=new&pageSize=1')).toMatchObject({
      totalCount: 2,
      items: [{ title: 'Fiasco' }],
    });
    const [waiting] = (await rows('?Outcome=unsure')).items;
    expect(waiting.candidates.map(({ title }: { title: string }) => title)).toEqual(['One', 'Other']);
    const at = `MarcImport/${id}`;
    expect((await admin.put(`${at}/rows/1`, { bookId: null })).status).toBe(404);
    expect((await admin.put(`${at}/rows/3`, { bookId: 999_999 })).status).toBe(404);
    const settled = await admin.put(`${at}/rows/3`, { bookId: waiting.candidates[0].id });
    expect(settled.body).toMatchObject({
      outcome: 'changed',
      chosen: true,
      bookId: waiting.candidates[0].id,
    });
    expect((await admin.put(`${at}/chosen`, { chosen: false, places: [2] })).body).toMatchObject({
      chosen: 2,
    });
    expect((await admin.put(`${at}/chosen`, { chosen: true })).status).toBe(400);
    expect((await admin.put(`${at}/wins`, { wins: ['title', 'genres'] })).body).toMatchObject({
      wins: ['title', 'genres'],
    });

    expect((await admin.post(`${at}/run`)).body).toMatchObject({ state: 'running', total: 2 });
    expect(await ended(id, 'done')).toMatchObject({ done: { added: 1, changed: 1 }, chosen: 0 });
    await waitFor(async () => told.at(-1) === 'done');
    expect((await exported('format=iso2709&SearchTerm=Fiasco')).text).toBe(
      writeIso2709(record('r1', 'Fiasco')).toString(),
    );

    expect((await admin.post(`${at}/undo`)).status).toBe(202);
    expect(await ended(id, 'undone')).toMatchObject({ done: { added: 0, changed: 0, undone: 2 } });
    for (const path of ['run', 'undo']) expect((await admin.post(`${at}/${path}`)).status).toBe(409);
    expect((await admin.put(`${at}/chosen`, { chosen: true, outcome: 'new' })).status).toBe(409);
    // Which fields win is proposed for the next file.
    const next = await upload(writeIso2709(record('r1', 'Fiasco')));
    expect((await admin.get(`MarcImport/${next.body.id}`)).body).toMatchObject({ wins: ['title', 'genres'] });
    expect((await admin.delete(at)).body).toEqual({ deleted: 1 });
    expect((await admin.get(at)).status).toBe(404);
  });

  it('are read for as long as the file comes', async () => {
    const answeredWithin = 500;
    const server = await product.startServer({}, { answeredWithin });
    async function* parts() {
      yield `--x\r\ncontent-disposition: form-data; name="${IMPORT_FILE_FIELD}"; filename="slow.mrc"\r\n\r\n`;
      yield writeIso2709(record('s1', 'Slow'));
      // Any other call would have been given up.
      await sleep(1.5 * answeredWithin);
      yield writeIso2709(record('s2', 'Slower'));
      yield '\r\n--x--\r\n';
    }
    const answer = await fetch(`${server.url}/api/MarcImport`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: Readable.toWeb(Readable.from(parts())) as ReadableStream,
      duplex: 'half',
    });
    expect(answer.status).toBe(201);
    await server.close();
  });

  it('refuse what is no file of records, and keep nothing of it', async () => {
    const kept = async () => (await admin.get('MarcImport')).body.length as number;
    const before = await kept();
    for (const [bytes, field] of [
      [Buffer.from('isbn,title\n1,2\n'), IMPORT_FILE_FIELD],
      [Buffer.alloc(0), IMPORT_FILE_FIELD],
      [writeIso2709(record('x', 'X')), 'another'],
    ] as const) {
      const { status, body } = await upload(bytes, 'x.csv', field);
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {})).toEqual([IMPORT_FILE_FIELD]);
    }
    expect((await admin.post('MarcImport', {})).status).toBe(400);
    expect(await kept()).toEqual(before);
  });

  it('and exports are of a search, a list of the library, or what changed since a day', async () => {
    await addNewBooks(product.database, [{ title: 'Zebra stripes' }, { title: 'Zebra hooves' }]);
    await product.rows(`update book set changed_at = '2020-01-01' where title <> 'Zebra hooves'`);
    const titles = (text: string) =>
      [...text.matchAll(/tag="245"[^>]*>\s*<subfield code="a">([^<]*) \//g)].map(([, title]) => title);
    const found = await exported('format=marcxml&SearchTerm=zebra');
    expect(found.type).toBe('application/marcxml+xml');
    expect(titles(validExchange(found.text)).sort()).toEqual(['Zebra hooves', 'Zebra stripes']);
    expect(titles((await exported('format=marcxml&since=2021-01-01')).text)).toEqual(['Zebra hooves']);
    const csv = await exported('format=csv&SearchTerm=stripes');
    expect(csv.text.split('\r\n').filter(Boolean)).toHaveLength(2);
    const { id: list } = (await admin.post('ReadingList', { name: 'L', description: '', onHome: false }))
      .body;
    const [book] = (await admin.get('Book?SearchTerm=stripes')).body.items;
    expect((await admin.post(`ReadingList/${list}/books`, { bookId: book.id })).status).toBeLessThan(300);
    expect(titles((await exported(`format=marcxml&list=${list}`)).text)).toEqual(['Zebra stripes']);
    expect((await exported(`format=marcxml&list=${list}&SearchTerm=x`)).status).toBe(400);
    expect((await exported(`format=marcxml&list=${randomUUID()}`)).status).toBe(404);
  });
});

describe('rows of a CSV file, from a browser', () => {
  const take = async (line: number, ...lines: string[]) =>
    admin.post('Book/rows', { line, text: lines.join('\n') });
  const HEAD = 'isbn;title;authors;year;copies';

  it('are taken piece by piece, each told of by its line in the file', async () => {
    const { status, body } = await take(
      501,
      HEAD,
      '9788308042588;Solaris;Stanisław Lem;1961;2',
      '9788308049052;No such number;Nobody;2001;1',
      '9788307033990;Lalka;Bolesław Prus;before long;1',
    );
    const taken = body as RowsTaken;
    expect([status, taken.added, taken.alreadyThere]).toEqual([200, 2, 0]);
    expect(taken.refused).toEqual([{ line: 503, reason: expect.stringContaining('before long') }]);
    expect(taken.repaired).toEqual([{ line: 502, reason: expect.stringContaining('9788308049052') }]);
    // The index catches up with the exports' books, which came over another connection.
    const found = await waitFor(async () => {
      const { items } = (await admin.get('Book?SearchTerm=solaris')).body;
      return items.length > 0 && (items as object[]);
    });
    expect(found).toMatchObject([{ title: 'Solaris', copiesAvailable: 2 }]);
  });

  it('are there once, however often they are sent', async () => {
    const piece = [HEAD, '9788324072248;Ferdydurke;Witold Gombrowicz;1937;1'];
    expect((await take(2, ...piece)).body).toMatchObject({ added: 1, alreadyThere: 0 });
    expect((await take(2, ...piece)).body).toMatchObject({ added: 0, alreadyThere: 1 });
  });

  it('are refused as a whole where the first line names no columns', async () => {
    const { status, body } = await take(2, 'a;b', '1;2');
    expect([status, Object.keys(body.errors)]).toEqual([400, ['text']]);
  });
});
