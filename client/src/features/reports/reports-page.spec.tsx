import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { ReportKind, ReportView } from '#contracts/reports/report.js';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { ID, OTHER_ID } from '../../../test-support/views.js';
import { isoMinute } from '../../lib/dates.js';
import { liveCaches } from '../../domain/live/live-caches.js';
import { session } from '../../lib/session.js';
import { ReportsPage } from './reports-page.js';

const ASK = 'POST Dashboard/reports';
const LIST = 'GET Dashboard/reports';
const fileOf = (id: string) => `GET Dashboard/reports/${id}/file`;
const MADE_AT = '2026-11-21T09:05:00Z';
const PDF = new Blob(['%PDF']);

const report = (over: Partial<ReportView> = {}): ReportView => ({
  ...{ id: ID, kind: 'inventory', state: 'ready', progress: 100, options: {}, askedBy: 'anna' },
  ...{ askedAt: '2026-11-21T09:04:00Z', madeAt: MADE_AT, keptUntil: '2026-11-22T09:04:00Z' },
  ...{ size: 34_200, pages: 12, failure: null },
  ...over,
});
const NOT_MADE = { madeAt: null, size: null, pages: null };

/** What the browser was given to save: the file, and its name. */
let saved: { file: unknown; name: string }[];
/** What the server lists. */
let listed: ReportView[];

function shown(answers: Answers = {}) {
  const page = showPage(<ReportsPage />, '/admin/raports', {
    [LIST]: () => answered(listed),
    [ASK]: ({ body }) => {
      const { kind } = body as { kind: ReportKind };
      listed = [report({ kind, state: 'waiting', progress: 0, ...NOT_MADE }), ...listed];
      return answered({ reportId: ID });
    },
    [fileOf(ID)]: answered(PDF),
    ...answers,
  });
  return { ...page, live: liveCaches(page.client) };
}
const progress = () => screen.findByRole('progressbar', { name: 'Making the file' });
const names = () => saved.map(({ name }) => name);

asAdmin();
beforeEach(() => {
  [saved, listed] = [[], []];
  let file: unknown;
  URL.createObjectURL = (given: unknown) => {
    file = given;
    return 'blob:report';
  };
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href === 'blob:report') saved.push({ file, name: this.download });
  });
});
afterEach(() => jest.restoreAllMocks());

describe('the reports', () => {
  it('tell how far the file is, and save it', async () => {
    const { server, press, live } = shown();
    expect(screen.getByRole('heading', { name: 'Reports' })).toBeTruthy();
    await sees(/^Nothing yet\./);
    await press(/stickers/);
    expect((await progress()).hasAttribute('value')).toBe(false);
    await sees('Waiting to be made');
    act(() => live.report({ reportId: ID, kind: 'stickers', state: 'printing', progress: 40 }));
    expect((await progress()).getAttribute('value')).toBe('40');
    await sees(/^40 %, \d+ s$/, 'Being made, 40 %');
    await press(/stickers/);
    expect(saved).toEqual([]);

    listed = [report({ kind: 'stickers' })];
    act(() => live.report({ reportId: ID, kind: 'stickers', state: 'ready', progress: 100 }));
    await sees('Saved as InventoryStickers.pdf.', '12');
    expect(saved).toEqual([{ file: PDF, name: 'InventoryStickers.pdf' }]);
    expect(server.asked(ASK).map(({ body }) => body)).toEqual([{ kind: 'stickers', options: {} }]);
    expect(server.asked(fileOf(ID))[0]?.headers.Authorization).toBe('Bearer the-token');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('are asked after where no live message comes, also while the server does not answer for a moment', async () => {
    const { server, press } = shown();
    await press(/inventory report/);
    await progress();
    listed = [report({ state: 'printing', progress: 70, ...NOT_MADE })];
    await sees(/^70 %/);
    let silent = 0;
    server.answers[LIST] = () => ((silent += 1) < 3 ? null : answered([report()]));
    await waitFor(() => expect(saved).toHaveLength(1));
  });

  it('say in their place what failed, and try again', async () => {
    const failure = 'The printer is on fire.';
    const { server, press, address } = shown({ [fileOf(ID)]: refused('ReportFailed', failure) });
    server.answers[ASK] = () => {
      listed = [report({ state: 'failed', failure })];
      return answered({ reportId: ID });
    };
    await press(/inventory report/);
    await sees('The file could not be made. The printer is on fire.');
    await within(screen.getByRole('table')).findByText(failure);
    expect(address()).toBe('/admin/raports');
    server.answers[ASK] = () => {
      listed = [report({ id: OTHER_ID }), ...listed];
      return answered({ reportId: OTHER_ID });
    };
    server.answers[fileOf(OTHER_ID)] = answered(PDF);
    await press('Retry');
    await waitFor(() => expect(names()).toEqual(['BookRaport.pdf']));
    expect(screen.queryByText(/^The file could not be made/)).toBeNull();
  });

  it('go on while one is elsewhere, and are seen to after coming back', async () => {
    const { press, router } = shown();
    await press(/stickers/);
    await progress();
    await act(() => router.navigate('/admin/dashboard'));
    await act(() => router.navigate('/admin/raports'));
    await progress();
    await act(() => router.navigate('/admin/dashboard'));
    listed = [report({ kind: 'stickers' })];
    await waitFor(() => expect(names()).toEqual(['InventoryStickers.pdf']));
  });

  it('are nobody’s once the person has left', async () => {
    const { server, press } = shown();
    await press(/inventory report/);
    await progress();
    listed = [report()];
    act(() => session.end());
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(server.asked(fileOf(ID))).toHaveLength(0);
    expect(saved).toEqual([]);
  });

  it('are of some of the books by a place on the sheet and a day, refused at the field that is wrong', async () => {
    const { server, person, press } = shown({
      [ASK]: refused('ValidationFailed', 'Some fields are wrong.', { start: ['A sheet has 24 labels.'] }),
    });
    const start = screen.getByLabelText('Start at label');
    await person.type(start, '0');
    await person.type(screen.getByLabelText('Added since'), '2026-11-01');
    await press(/stickers/);
    await sees('At least 1.');
    expect(server.asked(ASK)).toHaveLength(0);
    await person.type(start, '{Backspace}25');
    await press(/stickers/);
    await sees('A sheet has 24 labels.');
    expect(screen.queryByText(/could not be made/)).toBeNull();
    expect(document.activeElement).toBe(start);
    expect(server.asked(ASK)[0]?.body).toEqual({
      ...{ kind: 'stickers', options: { start: 25, addedSince: '2026-11-01' } },
    });
  });
});

describe('what was made today', () => {
  it('is listed with its facts, or why it failed', async () => {
    listed = [
      report(),
      report({
        ...{ id: OTHER_ID, kind: 'stickers', state: 'failed', askedBy: null, ...NOT_MADE },
        ...{ options: { columns: 3, start: 5, addedSince: '2026-11-01' }, failure: 'Too long.' },
      }),
    ];
    shown();
    await sees('Inventory of books');
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((row) => textsOf(within(row).getAllByRole('cell')))).toEqual([
      ['Inventory of books', isoMinute(MADE_AT), '12', '34 kB', 'anna', 'Download again'],
      [
        'Inventory stickersadded since 2026-11-01, from label 5 on',
        ...['–', '–', '–', 'Account removed', 'Too long.'],
      ],
    ]);
  });

  it('is saved again, or says in its place why not', async () => {
    listed = [report({ kind: 'stickers' })];
    const { server, press } = shown({ [fileOf(ID)]: refused('ReportNotFound', 'It is gone.') });
    await press(/^Download again: Inventory stickers/);
    await sees('It is gone.');
    server.answers[fileOf(ID)] = answered(PDF);
    await press(/^Download again/);
    await waitFor(() => expect(names()).toEqual(['InventoryStickers.pdf']));
  });

  it('tells that it could not be fetched, and tries again', async () => {
    listed = [report()];
    const { server, press } = shown({ [LIST]: refused('Unexpected', 'No list today.') });
    await sees('No list today.');
    server.answers[LIST] = answered(listed);
    await press('Retry');
    await sees('Inventory of books');
  });
});
