import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ExportEvent, ExportFooter, ExportHeader } from '#contracts/audit/history-export.js';
import { invalid } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { untilServed } from '../../test-support/wait-for.js';
import { checkExport, type LoggedHistory } from './check-export.js';
import { recordedPart } from './recorded-part.js';

const COMMAND = resolve(import.meta.dirname, '../../dist/cli/check-export.js');

describe('an exported history', () => {
  let lines: string[];
  const folder = sharedFolder();

  const product = shared(() => startProduct());
  const auditor = shared(() => product.account('Auditor'));
  const reader = shared(() => product.account());
  beforeAll(async () => {
    await product.storeHistory(reader.pseudonym, 603);
    const response = await download(reader.id);
    expect(response.headers.get('content-type')).toContain('application/jsonl');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="borrows-${reader.id}.jsonl"`,
    );
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    lines = text.slice(0, -1).split('\n');
  });

  const download = (readerId: string) =>
    untilServed(() => auditor.download(`Audit/readers/${readerId}/export?format=jsonl`));

  const log = (): LoggedHistory => ({
    events: (readerId, from, to) => recordedPart(product.log, readerId, from, to),
    lastRevision: async (readerId) => Number(await product.log.lastRevision('borrows', readerId)),
  });
  const check = (given: readonly string[]) =>
    checkExport(async function* () {
      yield* given;
    }, log());

  it('has a header, every event as stored, and a footer', async () => {
    const header = JSON.parse(lines[0] ?? '') as ExportHeader;
    expect(header).toMatchObject({
      library: 'Lectern',
      readerId: reader.pseudonym,
      from: 0,
      to: 602,
    });
    const footer = JSON.parse(lines.at(-1) ?? '') as ExportFooter;
    const events = lines.slice(1, -1).map((text) => JSON.parse(text) as ExportEvent);
    expect(footer).toEqual({ kind: 'footer', count: 603, finalHash: events.at(-1)?.hash });
    const stored = await product.log.readRecorded('borrows', reader.pseudonym, 0n, 5_000);
    expect(events.map(({ kind: _kind, hash: _hash, ...event }) => event)).toEqual(
      stored.map(({ revision, id, type, created, data, metadata }) => ({
        revision: Number(revision),
        id,
        type,
        recordedAt: created.toISOString(),
        data,
        metadata,
      })),
    );
  });

  it('is found whole against the log, and that it grew since is no fault', async () => {
    expect(await check(lines)).toMatchObject({ ok: true, events: 603, since: 0 });
    const other = await product.account();
    const empty = (await (await download(other.id)).text()).trimEnd().split('\n');
    expect(empty).toHaveLength(2);
    await other.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    expect(await check(empty)).toMatchObject({ ok: true, events: 0, since: 1 });
  });

  it('refuses another format, and records each export', async () => {
    expect(await auditor.get(`Audit/readers/${reader.id}/export?format=pdf`)).toMatchObject(
      invalid({ format: ['The format has to be jsonl.'] }),
    );
    const before = (await auditor.get(`Audit/looks?readerId=${reader.id}`)).body.totalCount;
    await (await download(reader.id)).text();
    await (await download(reader.id)).text();
    expect((await auditor.get(`Audit/looks?readerId=${reader.id}`)).body.totalCount).toBe(before + 2);
  });

  describe('npm run check-export', () => {
    const file = join(folder, 'history.jsonl');
    const run = async (given: readonly string[], ...args: string[]) => {
      writeFileSync(file, given.map((text) => `${text}\n`).join(''));
      const child = spawn(process.execPath, [COMMAND, ...(args.length > 0 ? args : [file])], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: product.settings.DATABASE_URL,
          EVENTSTORE_URL: product.settings.EVENTSTORE_URL,
        },
      });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
      const code = await new Promise((done) => child.once('close', done));
      return { code, out };
    };

    it('says that it is what the log says, and ends with 0', async () => {
      const { code, out } = await run(lines);
      expect(out).toContain(`603 events of borrows-${reader.pseudonym}`);
      expect(out).toContain('every event is what the log says');
      expect(code).toBe(0);
    });

    it('names what was done to it, and ends with 1', async () => {
      const changed = (lines[7] ?? '').replace(/"borrowId":"[0-9a-f]{8}/, '"borrowId":"00000000');
      const { code, out } = await run(lines.with(7, changed));
      expect(out).toContain('changed: event 6 ');
      expect(out).toContain('data.borrowId');
      expect(code).toBe(1);
    });

    it('ends with 2 where there is nothing to check, and explains itself', async () => {
      expect(await run([], join(folder, 'none.jsonl'))).toMatchObject({
        code: 2,
        out: expect.stringContaining('There is no file'),
      });
      expect(await run([], '--help')).toMatchObject({
        code: 0,
        out: expect.stringContaining('Exit code: 0'),
      });
      expect(readFileSync(file, 'utf8')).toBe('');
    });
  });
});
