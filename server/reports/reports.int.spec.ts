import type { ServerToClient } from '#contracts/live/live-messages.js';
import type { ReportView } from '#contracts/reports/report.js';
import { forgetJobs } from '../../test-support/product/forget-jobs.js';
import { openLive } from '../../test-support/product/live-socket.js';
import { killPrinters, runningPrinters } from '../../test-support/installation/printers.js';
import { startProduct } from '../../test-support/product/product.js';
import { addBooks, download, ended } from '../../test-support/product/reports.js';
import { shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import { waitFor } from '../../test-support/wait-for.js';

type ReportMessage = Parameters<ServerToClient['report']>[0];

describe('asking for reports', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { jobs: { rounds: false } }));
  const admin = shared(() => product.account('Admin'));
  const reader = shared(() => product.account());
  const seen: ReportMessage[] = [];
  const seenByReader: ReportMessage[] = [];
  shared(() => openLive(product.url, admin.token, { report: (message) => seen.push(message) }));
  shared(() => openLive(product.url, reader.token, { report: (message) => seenByReader.push(message) }));
  beforeAll(async () => {
    await addBooks(
      product,
      Array.from({ length: 40 }, () => ({ copies: 2 })),
    );
  });

  const ask = async (kind = 'inventory', options = {}) => {
    const { status, body } = await admin.post('Dashboard/reports', { kind, options });
    expect(status).toBe(202);
    return body.reportId as string;
  };
  const fileOf = (reportId: string) => download(product, admin, `reports/${reportId}/file`);
  /** As after somebody changed something: a report that was made is not given again. */
  const changeCatalogue = () => product.rows('update author set version = version + 1');
  // First, as the Chromium that was found is remembered. The next tests print, when there is one again.
  it('says when there is no browser to print with', async () => {
    await product.setVariable('PUPPETEER_EXECUTABLE_PATH', '/nowhere/chromium');
    const { status, body } = await download(product, admin, 'bookRaport');
    expect([status, body.code]).toEqual([503, 'PrinterUnavailable']);
    expect(body.detail).toContain('no browser (Chromium) could be started');
    const { body: list } = await admin.get('Dashboard/reports');
    expect((list as ReportView[])[0]).toMatchObject({ state: 'failed', failure: body.detail, size: null });
    await product.setVariable('PUPPETEER_EXECUTABLE_PATH');
  });

  it('is for admins alone', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const who of [reader, await product.account('Auditor')]) {
      for (const path of ['bookRaport', 'generate-stickers', 'reports', `reports/${id}/file`]) {
        const { status, body } = await download(product, who, path);
        expect([path, status, body.code]).toEqual([path, 403, 'NotAllowed']);
      }
      expect((await who.post('Dashboard/reports', { kind: 'inventory' })).status).toBe(403);
    }
    expect((await fetch(`${product.url}/api/Dashboard/bookRaport`)).status).toBe(401);
  });

  it('tells admins how far it is, lists it, and keeps the file for a day', async () => {
    const reportId = await ask('stickers', { start: 3 });
    const report = await ended(admin, reportId);
    const [account] = await product.rows('select username from account where id = $1', admin.id);
    expect(report).toMatchObject({
      ...{ kind: 'stickers', state: 'ready', progress: 100, pages: 4, failure: null },
      askedBy: account?.username,
      options: { start: 3, columns: 3, labelWidth: 70 },
    });
    const mine = () => seen.filter((message) => message.reportId === reportId);
    await waitFor(() => mine().at(-1)?.state === 'ready');
    expect(new Set(mine().map(({ state }) => state))).toEqual(new Set(['waiting', 'printing', 'ready']));
    expect(mine().some(({ state, progress }) => state === 'printing' && progress > 0)).toBe(true);
    const progress = mine().map((message) => message.progress);
    expect(progress).toEqual([...progress].sort((first, second) => first - second));
    expect(mine().at(-1)).toEqual({ reportId, kind: 'stickers', state: 'ready', progress: 100 });
    expect(seenByReader).toEqual([]);

    const [once, twice] = [await fileOf(reportId), await fileOf(reportId)];
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
    expect((await fileOf('x')).status).toBe(400);
    expect(await fileOf(admin.id)).toMatchObject({ status: 404, body: { code: 'ReportNotFound' } });
  });

  it('gives a report up that cannot be printed, keeps nothing of it, and when it is asked for again prints again where a printing process was killed', async () => {
    // The one before closes its browser still when its report is ready.
    await waitFor(() => runningPrinters(product).length === 0);
    const reportId = await ask();
    expect(await fileOf(reportId)).toMatchObject({ status: 409, body: { code: 'ReportNotReady' } });
    const killer = setInterval(() => killPrinters(product), 20);
    const report = await ended(admin, reportId).finally(() => clearInterval(killer));
    expect(report).toMatchObject({ state: 'failed', progress: 0, size: null, madeAt: null });
    expect(report.failure).toContain('Please try again');
    expect(await product.rows('select 1 from report_part where report_id = $1', reportId)).toEqual([]);
    expect(await fileOf(reportId)).toMatchObject({ status: 503, body: { code: 'ReportFailed' } });

    const again = await ask();
    expect(again).not.toBe(reportId);
    await waitFor(() => killPrinters(product) > 0);
    expect(await ended(admin, again)).toMatchObject({ state: 'ready', failure: null });
    expect(await product.rows('select attempts from report where id = $1', again)).toEqual([{ attempts: 2 }]);
  });

  it('prints a report whose queue forgot it, and one whose worker died', async () => {
    await changeCatalogue();
    await product.pauseQueue('reports');
    const [forgotten, left] = [await ask(), await ask('stickers')];
    await waitFor(async () => (await product.rows('select from outbox')).length === 0);
    await forgetJobs(product.database);
    await product.rows(
      `update report set state = case id when $2 then 'printing' else 'waiting' end,
         touched_at = now() - interval '2 minutes'
       where id in ($1, $2)`,
      forgotten,
      left,
    );
    expect(await product.runJob('upkeep', 'find-lost-reports', {})).toEqual({ lost: 2 });
    expect(await product.runJob('upkeep', 'find-lost-reports', {})).toEqual({ lost: 0 });
    await waitFor(async () => (await product.jobsIn('reports')).length === 2);
    const queued = (await product.jobsIn('reports')).map(({ data }) => data);
    for (const reportId of [forgotten, left])
      expect(queued).toContainEqual(expect.objectContaining({ data: { reportId } }));
    // One of them is enough to see that they are printed then.
    await product.rows('delete from report where id = $1', left);
    await product.resumeQueue('reports');
    expect((await ended(admin, forgotten)).state).toBe('ready');
  });

  it('removes a report after its day, and gives up one that nobody prints', async () => {
    const lost = '00000000-0000-4000-8000-0000000000aa';
    await clock.forward(25 * 3600_000);
    await product.rows(
      `insert into report (id, kind, options, catalogue, state, asked_at, touched_at)
       values ($1, 'inventory', '{}', '', 'printing', $2, now() - interval '1 day')`,
      lost,
      clock.now(),
    );
    await product.runJob('reports', 'clean', {});
    expect(await product.rows('select id, state from report')).toEqual([{ id: lost, state: 'failed' }]);
    expect(await product.rows('select 1 from report_part')).toEqual([]);
  });
});
