import { z } from 'zod';
import {
  readReaderImport,
  READERS_FILE_FIELD,
  type ReaderImport,
  type ReaderImportKind,
} from '#contracts/accounts/reader-import.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { queryRow } from '#platform/database/query-rows.js';
import { addNewBooks } from '../../../test-support/new-books.js';
import { OwnProcess } from '../../../test-support/own-process.js';
import { startProduct, type TestAccount } from '../../../test-support/product.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

const READERS = 10_000;
const LOANS = 3_000;
const COPIES = 10;
/** Milliseconds. A killed worker's job is taken up by the next one half a minute later. */
const TIME = 240_000;

describe('imports of readers and loans whose workers are killed', () => {
  const product = shared(() => startProduct(undefined, { environment: { JOBS: 'off' } }));
  let worker: OwnProcess | undefined;
  atEnd(() => worker?.kill());
  let admin: TestAccount;
  beforeAll(async () => (admin = await product.account('Admin')));

  const startWorker = () => {
    const { DATABASE_URL, EVENTSTORE_URL, JWT_SECRET } = product.settings;
    const settings = { DATABASE_URL, EVENTSTORE_URL, JWT_SECRET, HOLD_STALE_SECONDS: '5' };
    return OwnProcess.start('a worker', 'dist/server/worker.js', settings);
  };
  const staged = async (kind: ReaderImportKind, lines: readonly string[]): Promise<ReaderImport> => {
    const form = new FormData();
    form.set(READERS_FILE_FIELD, new Blob([lines.join('\n')]), `${kind}.csv`);
    const { status, body } = await admin.send('POST', `ReaderImport?kind=${kind}`, form);
    expect(status).toBe(201);
    return read(body.id);
  };
  const read = async (id: string) =>
    readReaderImport.answer.parse((await admin.get(`ReaderImport/${id}`)).body);
  /** Kills a worker in the midst of it, twice. */
  const doneUnderKills = async ({ id, outcomes }: ReaderImport): Promise<ReaderImport> => {
    expect((await admin.post(`ReaderImport/${id}/run`)).status).toBe(202);
    for (const part of [0.2, 0.6]) {
      worker = startWorker();
      await waitFor(async () => (await read(id)).handled > outcomes.new * part, TIME);
      await worker.kill();
      expect((await read(id)).state).toBe('running');
    }
    worker = startWorker();
    const done = await waitFor(async () => {
      const now = await read(id);
      return now.state === 'done' && now;
    }, TIME);
    await worker.kill();
    return done;
  };
  const counted = async (text: string) =>
    (await queryRow(product.database, z.object({ n: z.int() }), `select count(*)::integer as n ${text}`))?.n;

  it(
    'bring each reader and each loan along once, and the rows are what the log says',
    async () => {
      const readers = Array.from(
        { length: READERS },
        (_, n) => `OLD${n},Czytelnik${n % 500},Nr,1980-01-01,old${n}@people.example,PT,2031-12-31`,
      );
      const header = 'cardnumber,surname,firstname,dateofbirth,email,categorycode,dateexpiry';
      const first = await staged('readers', [header, ...readers]);
      expect(first.outcomes).toMatchObject({ new: READERS, refused: 0 });
      expect((await doneUnderKills(first)).done).toEqual({ added: READERS, changed: 0, left: 0 });
      expect(await counted(`from account where email like 'old%@people.example'`)).toBe(READERS);
      expect(await counted(`from reader_card where number like 'OLD%' and replaced_at is null`)).toBe(
        READERS,
      );
      expect(await counted('from reader_invitation')).toBe(READERS);
      expect((await staged('readers', [header, ...readers])).outcomes).toMatchObject({
        same: READERS,
        new: 0,
      });

      await addNewBooks(
        product.database,
        Array.from({ length: LOANS / COPIES }, () => ({ copies: COPIES })),
      );
      const from =
        (await queryRow(product.database, z.object({ id: z.int() }), 'select min(id) as id from book'))?.id ??
        0;
      const loans = Array.from({ length: LOANS }, (_, n) => {
        const label = copyCode({ bookId: from + Math.floor(n / COPIES), copy: 1 + (n % COPIES) });
        return `OLD${(n * 7) % READERS},${label},2026-0${1 + (n % 9)}-10,,1`;
      });
      const second = await staged('loans', ['cardnumber,barcode,date_due,issuedate,renewals', ...loans]);
      expect(second.outcomes).toMatchObject({ new: LOANS, refused: 0 });
      expect((await doneUnderKills(second)).done).toEqual({ added: LOANS, changed: 0, left: 0 });
      const taken = new Set<string>();
      let events = 0;
      const until = (await product.log.last(['borrows']))?.commit ?? -1n;
      const { signal } = new AbortController();
      for await (const piece of product.log.read(['borrows'], undefined, until, signal))
        for (const { event } of piece) {
          if (event.type !== 'LoanTakenOver') continue;
          events += 1;
          taken.add(copyCode({ bookId: event.data.book.bookId, copy: event.data.copy }));
        }
      expect([events, taken.size]).toEqual([LOANS, LOANS]);
      const again = await staged('loans', ['cardnumber,barcode,date_due,issuedate,renewals', ...loans]);
      expect(again.outcomes).toMatchObject({ same: LOANS, new: 0 });
      expect(await counted(`from copy_allocation where state <> 'released' and scanned`)).toBe(LOANS);
      expect(await product.differences()).toEqual([]);
    },
    3 * TIME,
  );
});
