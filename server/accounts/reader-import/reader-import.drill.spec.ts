import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  readReaderImport,
  type ReaderImport,
  type ReaderImportKind,
} from '#contracts/accounts/reader-import.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { inTransaction } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ANY_LOG } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { startCommand } from '../../../test-support/installation/command-line.js';
import { openMailGate } from '../../../test-support/mail/mail-gate.js';
import { addNewBooks } from '../../../test-support/product/new-books.js';
import { OwnProcess } from '../../../test-support/installation/own-process.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { atEnd, shared, sharedFolder } from '../../../test-support/shared.js';
import { waitFor } from '../../../test-support/wait-for.js';

/** Eight batches, and ten: the kills fall between two of them. */
const READERS = 2_000;
const LOANS = 1_000;
const COPIES = 10;
/** At so many parts of the work whoever does it is killed. */
const KILLS = [0.2, 0.6];
/** A round of invitations, at 600 an hour. */
const ROUND = 10;
/** Milliseconds. */
const TIME = 240_000;

describe('readers and their open loans, imported by processes that are killed', () => {
  const gate = shared(() => openMailGate());
  const product = shared(() => startProduct(undefined, { environment: { JOBS: 'off' } }));
  const folder = sharedFolder();
  let worker: OwnProcess | undefined;
  atEnd(() => worker?.kill());
  let admin: TestAccount;
  let imported: ReaderImport;
  beforeAll(async () => (admin = await product.account('Admin')));

  const settings = () => {
    const { DATABASE_URL, EVENTSTORE_URL, JWT_SECRET } = product.settings;
    return { DATABASE_URL, EVENTSTORE_URL, JWT_SECRET };
  };
  const startWorker = (more: NodeJS.ProcessEnv = {}) => (worker = OwnProcess.worker(product, more));
  /** Nobody renews the claim of the dead on a job: it would run out within a minute. */
  const endClaims = async () => {
    await product.database.query(
      `update lectern_jobs.job set locked_until_ms = 0, stalled_marked = true where state = 'active'`,
    );
    await product.database.query(`delete from lectern_jobs.meta where field = 'stalled-check'`);
  };

  const read = async (id: string) =>
    readReaderImport.answer.parse((await admin.get(`ReaderImport/${id}`)).body);
  const staged = async (kind: ReaderImportKind, text: string): Promise<ReaderImport> => {
    const form = new FormData();
    form.set(IMPORT_FILE_FIELD, new Blob([text]), `${kind}.csv`);
    const { status, body } = await admin.send('POST', `ReaderImport?kind=${kind}`, form);
    expect(status).toBe(201);
    return read((body as { id: string }).id);
  };
  const counted = async (text: string) =>
    (await queryRow(product.database, z.object({ n: z.int() }), `select count(*)::integer as n ${text}`))?.n;

  const readers = [
    'cardnumber,surname,firstname,dateofbirth,email,categorycode,dateexpiry',
    ...Array.from(
      { length: READERS },
      (_, n) => `OLD${n},Czytelnik${n % 500},Nr,1980-01-01,old${n}@people.example,PT,2031-12-31`,
    ),
  ].join('\n');

  it('are each there once, though the worker is killed twice', async () => {
    const { id, outcomes } = await staged('readers', readers);
    expect(outcomes).toMatchObject({ new: READERS, refused: 0 });
    expect((await admin.post(`ReaderImport/${id}/run`)).status).toBe(202);
    for (const part of KILLS) {
      startWorker();
      await waitFor(async () => (await read(id)).handled > READERS * part, TIME);
      await worker?.kill();
      expect((await read(id)).state).toBe('running');
      await endClaims();
    }
    startWorker();
    imported = await waitFor(async () => {
      const now = await read(id);
      return now.state === 'done' && now;
    }, TIME);
    await worker?.kill();
    expect(imported.done).toMatchObject({ added: READERS, changed: 0, left: 0 });
    expect(await counted(`from account where email like 'old%@people.example'`)).toBe(READERS);
    expect(await counted(`from reader_card where number like 'OLD%' and replaced_at is null`)).toBe(READERS);
    expect(await counted('from reader_invitation')).toBe(READERS);
    expect((await staged('readers', readers)).outcomes).toMatchObject({ same: READERS, new: 0 });
  });

  it('have their loans taken over once, though the command is killed twice and begun again', async () => {
    await addNewBooks(
      product.database,
      Array.from({ length: LOANS / COPIES }, () => ({ copies: COPIES })),
    );
    const first = await queryRow(
      product.database,
      z.object({ id: z.int() }),
      'select min(id) as id from book',
    );
    const loans = Array.from({ length: LOANS }, (_, n) => {
      const label = copyCode({ bookId: (first?.id ?? 0) + Math.floor(n / COPIES), copy: 1 + (n % COPIES) });
      return `OLD${(n * 7) % READERS},${label},2026-0${1 + (n % 9)}-10,,1`;
    });
    const file = join(folder, 'loans.csv');
    writeFileSync(file, ['cardnumber,barcode,date_due,issuedate,renewals', ...loans].join('\n'));
    const begin = () =>
      startCommand('import-readers', ['--loans', file, '--refused', folder], {
        ...settings(),
        LC_ALL: 'C.UTF-8',
      });
    const taken = () => counted(`from copy_allocation where state <> 'released' and scanned`);
    for (const part of KILLS) {
      const { child, ended } = begin();
      await waitFor(async () => Number(await taken()) > LOANS * part, TIME);
      child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
    }
    const { code, output } = await begin().ended;
    expect([code, output]).toEqual([0, expect.stringContaining('refused: 0')]);
    const events: string[] = [];
    const client = eventStoreClient(product.settings.EVENTSTORE_URL, ANY_LOG);
    for await (const { event } of client.readAll()) {
      if (event?.type !== 'LoanTakenOver') continue;
      const { book, copy } = event.data as unknown as BorrowEvent<'LoanTakenOver'>['data'];
      events.push(copyCode({ bookId: book.bookId, copy }));
    }
    await client.dispose();
    expect([events.length, new Set(events).size]).toEqual([LOANS, LOANS]);
    expect(await taken()).toBe(LOANS);
    expect(await product.differences()).toEqual([]);
  });

  it('are invited once each, though who asks for the letters is killed', async () => {
    const { id } = imported;
    const body = { state: 'running', perHour: ROUND * 60 };
    expect((await admin.put(`ReaderImport/${id}/invitations`, body)).status).toBe(200);
    for (let round = 1; round <= 3; round += 1) {
      startWorker();
      await inTransaction(product.database, (connection) =>
        writeToOutbox(connection, 'upkeep', 'invite-readers', {}, id),
      );
      await waitFor(async () => (await read(id)).invitations.sent >= ROUND * round, TIME);
      await worker?.kill();
      await endClaims();
    }
    gate.letIn(READERS);
    startWorker({ SMTP_URL: gate.url });
    const { sent } = await waitFor(async () => {
      const { invitations } = await read(id);
      return gate.taken.length >= invitations.sent && invitations;
    }, TIME);
    await worker?.kill();
    const asked = await queryRows(
      product.database,
      z.object({ email: z.string() }),
      'select a.email from reader_invitation v join account a on a.id = v.account_id where v.asked_at is not null',
    );
    expect(sent).toBeGreaterThanOrEqual(3 * ROUND);
    expect([...gate.taken].sort()).toEqual(asked.map(({ email }) => email).sort());
  });
});
