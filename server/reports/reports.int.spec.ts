import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import type { ReportView } from '#contracts/reports/report.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import { createLogger } from '#platform/logging.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product.js';
import { forgetJobs } from '../../test-support/forget-jobs.js';
import { addBooks, download, ended } from '../../test-support/reports.js';
import { TestClock } from '../../test-support/test-clock.js';
import { withoutRounds } from '../../test-support/without-rounds.js';
import { waitFor } from '../../test-support/wait-for.js';
import { killPrinters, runningPrinters } from '../../test-support/printers.js';

type ReportMessage = Parameters<ServerToClient['report']>[0];

describe('asking for reports', () => {
  const clock = new TestClock();
  let product: TestProduct;
  let admin: TestAccount;
  const sockets: Socket[] = [];
  const named = process.env['PUPPETEER_EXECUTABLE_PATH'];

  beforeAll(async () => {
    withoutRounds();
    product = await startProduct(clock);
    admin = await product.account('Admin');
    await addBooks(
      product,
      Array.from({ length: 40 }, () => ({ copies: 2 })),
    );
  });
  afterEach(() => {
    if (named === undefined) delete process.env['PUPPETEER_EXECUTABLE_PATH'];
    else process.env['PUPPETEER_EXECUTABLE_PATH'] = named;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect();
    await product.close();
  });

  async function watch({ token }: TestAccount): Promise<ReportMessage[]> {
    const socket: Socket<ServerToClient> = io(product.url, { auth: { token }, transports: ['websocket'] });
    sockets.push(socket);
    const seen: ReportMessage[] = [];
    socket.on('report', (message) => seen.push(message));
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
    return seen;
  }

  const ask = async (kind = 'inventory', options = {}) => {
    const { status, body } = await admin.post('Dashboard/reports', { kind, options });
    expect(status).toBe(202);
    return body.reportId as string;
  };
  /** As after somebody changed something: a report that was made is not given again. */
  const changeCatalogue = () => product.database.query('update author set version = version + 1');

  // First, as the Chromium that was found is remembered.
  it('says when there is no browser to print with, and prints when there is one again', async () => {
    process.env['PUPPETEER_EXECUTABLE_PATH'] = '/nowhere/chromium';
    const { status, body } = await download(product, admin, 'bookRaport');
    expect([status, body.code]).toEqual([503, 'PrinterUnavailable']);
    expect(body.detail).toContain('no browser (Chromium) could be started');
    const { body: list } = await admin.get('Dashboard/reports');
    expect((list as ReportView[])[0]).toMatchObject({ state: 'failed', failure: body.detail, size: null });
    if (named === undefined) delete process.env['PUPPETEER_EXECUTABLE_PATH'];
    else process.env['PUPPETEER_EXECUTABLE_PATH'] = named;
    expect((await download(product, admin, 'bookRaport')).status).toBe(200);
  });

  it('is for admins alone', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const who of [await product.account(), await product.account('Auditor')]) {
      for (const path of ['bookRaport', 'generate-stickers', 'reports', `reports/${id}/file`]) {
        const { status, body } = await download(product, who, path);
        expect([path, status, body.code]).toEqual([path, 403, 'NotAllowed']);
      }
      expect((await who.post('Dashboard/reports', { kind: 'inventory' })).status).toBe(403);
    }
    expect((await fetch(`${product.url}/api/Dashboard/bookRaport`)).status).toBe(401);
  });

  it('tells admins how far it is, lists it, and keeps the file for a day', async () => {
    await changeCatalogue();
    const seen = await watch(admin);
    const others = await watch(await product.account());
    const reportId = await ask('stickers', { start: 3 });
    const report = await ended(admin, reportId);
    const { username } = (
      await product.database.query(`select username from account where id = $1`, [admin.id])
    ).rows[0];
    expect(report).toMatchObject({
      kind: 'stickers',
      state: 'ready',
      progress: 100,
      pages: 4,
      askedBy: username,
      failure: null,
      options: { start: 3, columns: 3, labelWidth: 70 },
    });
    await waitFor(() => seen.at(-1)?.state === 'ready');
    const mine = seen.filter((message) => message.reportId === reportId);
    expect(new Set(mine.map(({ state }) => state))).toEqual(new Set(['waiting', 'printing', 'ready']));
    expect(mine.some(({ state, progress }) => state === 'printing' && progress > 0)).toBe(true);
    const progress = mine.map((message) => message.progress);
    expect(progress).toEqual([...progress].sort((first, second) => first - second));
    expect(mine.at(-1)).toEqual({ reportId, kind: 'stickers', state: 'ready', progress: 100 });
    expect(others).toEqual([]);

    const path = `reports/${reportId}/file`;
    const [once, twice] = [await download(product, admin, path), await download(product, admin, path)];
    expect(once).toMatchObject({
      status: 200,
      disposition: 'attachment; filename="InventoryStickers.pdf"',
      length: report.size,
    });
    expect(twice.pdf.equals(once.pdf)).toBe(true);
  });

  it('refuses what it does not know', async () => {
    const wrong = await admin.post('Dashboard/reports', { kind: 'readers' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['kind']]);
    const sheet = await admin.post('Dashboard/reports', { kind: 'stickers', options: { columns: 5 } });
    expect([sheet.status, Object.keys(sheet.body.errors)]).toEqual([400, ['labelWidth']]);
    expect((await download(product, admin, 'reports/x/file')).status).toBe(400);
    const unknown = await download(product, admin, `reports/${admin.id}/file`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'ReportNotFound']);
  });

  it('prints again when the printing process was killed', async () => {
    // The one before closes its browser still when its report is ready.
    await waitFor(() => runningPrinters().length === 0);
    await changeCatalogue();
    const reportId = await ask();
    const early = await download(product, admin, `reports/${reportId}/file`);
    expect([early.status, early.body.code]).toEqual([409, 'ReportNotReady']);
    await waitFor(() => killPrinters() > 0);
    const report = await ended(admin, reportId);
    expect(report).toMatchObject({ state: 'ready', failure: null });
    const { rows } = await product.database.query('select attempts from report where id = $1', [reportId]);
    expect(rows).toEqual([{ attempts: 2 }]);
  });

  it('prints a report whose queue forgot it, and one whose worker died', async () => {
    await changeCatalogue();
    const jobs = new Jobs(queueBackend(product.settings), createLogger('silent'));
    try {
      await jobs.queue('reports').pause();
      const [forgotten, left] = [await ask(), await ask('stickers')];
      await waitFor(async () => (await product.database.query('select from outbox')).rowCount === 0);
      await forgetJobs(product.database);
      await jobs.queue('reports').resume();
      await product.database.query(
        `update report set state = case id when $2 then 'printing' else 'waiting' end,
           touched_at = now() - interval '2 minutes'
         where id in ($1, $2)`,
        [forgotten, left],
      );
      expect(await product.runJob('upkeep', 'find-lost-reports', {})).toEqual({ lost: 2 });
      expect(await product.runJob('upkeep', 'find-lost-reports', {})).toEqual({ lost: 0 });
      expect((await ended(admin, forgotten)).state).toBe('ready');
      expect((await ended(admin, left)).state).toBe('ready');
    } finally {
      await jobs.close();
    }
  });

  it('gives a report up that cannot be printed, keeps nothing of it, and makes it when asked again', async () => {
    await changeCatalogue();
    const reportId = await ask();
    const killer = setInterval(killPrinters, 20);
    const report = await ended(admin, reportId).finally(() => clearInterval(killer));
    expect(report).toMatchObject({ state: 'failed', progress: 0, size: null, madeAt: null });
    expect(report.failure).toContain('Please try again');
    const { rows } = await product.database.query('select 1 from report_part where report_id = $1', [
      reportId,
    ]);
    expect(rows).toEqual([]);
    const file = await download(product, admin, `reports/${reportId}/file`);
    expect([file.status, file.body.code]).toEqual([503, 'ReportFailed']);
    const again = await ask();
    expect(again).not.toBe(reportId);
    expect((await ended(admin, again)).state).toBe('ready');
  });

  it('removes a report after its day, and gives up one that nobody prints', async () => {
    const lost = '00000000-0000-4000-8000-0000000000aa';
    await clock.forward(25 * 3600_000);
    await product.database.query(
      `insert into report (id, kind, options, catalogue, state, asked_at, touched_at)
       values ($1, 'inventory', '{}', '', 'printing', $2, now() - interval '1 day')`,
      [lost, clock.now()],
    );
    const jobs = new Jobs(queueBackend(product.settings), createLogger('silent'));
    try {
      await jobs.add('reports', [{ id: 'clean-now', name: 'clean', data: {} }]);
      const left = await waitFor(async () => {
        const { rows } = await product.database.query<{ id: string }>('select id, state from report');
        return rows.length === 1 && rows;
      });
      expect(left).toEqual([{ id: lost, state: 'failed' }]);
    } finally {
      await jobs.close();
    }
    const { rows } = await product.database.query('select 1 from report_part');
    expect(rows).toEqual([]);
  });
});
