import { jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { ReportKind, ReportView } from '#contracts/reports/report.js';
import { sees, textsOf } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { type Answers, type Call, later, problem, serverOf } from '../../../test-support/server.js';
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
  id: ID,
  kind: 'inventory',
  state: 'ready',
  progress: 100,
  options: {},
  askedAt: '2026-11-21T09:04:00Z',
  askedBy: 'anna',
  madeAt: MADE_AT,
  size: 34_200,
  pages: 12,
  failure: null,
  keptUntil: '2026-11-22T09:04:00Z',
  ...over,
});
const waiting = (kind: ReportKind = 'inventory'): ReportView =>
  report({ kind, state: 'waiting', progress: 0, madeAt: null, size: null, pages: null });

const routes = [{ path: '/admin/raports', element: <ReportsPage /> }];

/** What the browser was given to save: the file, and its name. */
let saved: { file: unknown; name: string }[];
/** What the server lists. */
let listed: ReportView[];

function shown(answers: Answers = {}) {
  const ask = ({ body }: Call) => {
    listed = [waiting((body as { kind: ReportKind }).kind), ...listed];
    return [202, { reportId: ID }] as const;
  };
  const server = serverOf({
    [LIST]: () => [200, listed],
    [ASK]: ask,
    [fileOf(ID)]: [200, PDF],
    ...answers,
  });
  const screenShown = show(routes, '/admin/raports');
  return { server, ...screenShown, live: liveCaches(screenShown.client) };
}
const button = (name: RegExp | string) => screen.getByRole('button', { name });
const progress = () => screen.findByRole('progressbar', { name: 'Making the file' });

describe('the reports', () => {
  beforeEach(() => {
    [saved, listed] = [[], []];
    session.begin(userOf('Admin'));
    let file: unknown;
    URL.createObjectURL = jest.fn((given: unknown) => {
      file = given;
      return 'blob:report';
    });
    URL.revokeObjectURL = jest.fn<typeof URL.revokeObjectURL>();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (this.href === 'blob:report') saved.push({ file, name: this.download });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    act(() => session.end());
  });

  it.each([
    ['inventory', 'Download inventory report of books', 'BookRaport.pdf'],
    ['stickers', 'Download inventory stickers', 'InventoryStickers.pdf'],
  ] as const)('%s: tells how far the file is, and saves it', async (kind, name, fileName) => {
    const { server, person, live } = shown();
    expect(screen.getByRole('heading', { name: 'Reports' })).toBeTruthy();
    await person.click(button(name));
    expect((await progress()).hasAttribute('value')).toBe(false);
    await sees('Waiting to be made');
    act(() => live.report({ reportId: ID, kind, state: 'printing', progress: 40 }));
    expect((await progress()).getAttribute('value')).toBe('40');
    expect(screen.getByText(/^40 %, \d+ s$/)).toBeTruthy();
    expect(screen.getByText('Being made, 40 %')).toBeTruthy();
    await person.click(button(name));
    expect(saved).toEqual([]);

    listed = [report({ kind })];
    act(() => live.report({ reportId: ID, kind, state: 'ready', progress: 100 }));
    await sees(`Saved as ${fileName}.`);
    expect(saved).toEqual([{ file: PDF, name: fileName }]);
    expect(server.asked(ASK).map(({ body }) => body)).toEqual([{ kind, options: {} }]);
    expect(server.asked(fileOf(ID))[0]?.headers.Authorization).toBe('Bearer the-token');
    expect(screen.queryByRole('progressbar')).toBeNull();
    await sees('12');
  });

  it('are asked after where no live message comes', async () => {
    const { person } = shown();
    await person.click(button(/inventory report/));
    await progress();
    listed = [report({ state: 'printing', progress: 70, madeAt: null, size: null, pages: null })];
    expect(await screen.findByText(/^70 %/, {}, { timeout: 5000 })).toBeTruthy();
    listed = [report()];
    await waitFor(() => expect(saved).toHaveLength(1), { timeout: 5000 });
  });

  it('are waited for while the server does not answer for a moment', async () => {
    let silent = 0;
    const { server, person } = shown();
    await person.click(button(/inventory report/));
    await progress();
    server.answers[LIST] = () => ((silent += 1) < 3 ? null : [200, [report()]]);
    await waitFor(() => expect(saved).toHaveLength(1), { timeout: 8000 });
  });

  it('say in their place what failed, and try again', async () => {
    const { server, person, address } = shown({
      [fileOf(ID)]: problem(500, 'ReportFailed', 'The printer is on fire.'),
    });
    listed = [];
    server.answers[ASK] = () => {
      listed = [report({ state: 'failed', failure: 'The printer is on fire.' })];
      return [202, { reportId: ID }];
    };
    await person.click(button(/inventory report/));
    await sees('The file could not be made. The printer is on fire.');
    expect(await within(screen.getByRole('table')).findByText('The printer is on fire.')).toBeTruthy();
    expect(address()).toBe('/admin/raports');
    server.answers[ASK] = () => {
      listed = [report({ id: OTHER_ID }), ...listed];
      return [202, { reportId: OTHER_ID }];
    };
    server.answers[fileOf(OTHER_ID)] = [200, PDF];
    await person.click(button('Retry'));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['BookRaport.pdf']));
    expect(screen.queryByText(/^The file could not be made/)).toBeNull();
  });

  it('go on while one is elsewhere, and are seen to after coming back', async () => {
    const { person, router } = shown();
    await person.click(button(/stickers/));
    await progress();
    await act(() => router.navigate('/admin/dashboard'));
    await act(() => router.navigate('/admin/raports'));
    await progress();
    await act(() => router.navigate('/admin/dashboard'));
    listed = [report({ kind: 'stickers' })];
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['InventoryStickers.pdf']), {
      timeout: 5000,
    });
  });

  it('are nobody’s once the person has left', async () => {
    const { server, person } = shown();
    await person.click(button(/inventory report/));
    await progress();
    listed = [report()];
    act(() => session.end());
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(server.asked(fileOf(ID))).toHaveLength(0);
    expect(saved).toEqual([]);
  });
});

describe('labels for some of the books', () => {
  beforeEach(() => {
    [saved, listed] = [[], []];
    session.begin(userOf('Admin'));
  });
  afterEach(() => act(() => session.end()));

  it('are asked for with a place on the sheet and a day', async () => {
    const { server, person } = shown({ [ASK]: later().answer });
    await person.type(screen.getByLabelText('Start at label'), '5');
    await person.type(screen.getByLabelText('Added since'), '2026-11-01');
    await person.click(button(/stickers/));
    await waitFor(() =>
      expect(server.asked(ASK).map(({ body }) => body)).toEqual([
        { kind: 'stickers', options: { start: 5, addedSince: '2026-11-01' } },
      ]),
    );
  });

  it('are refused under the field that is wrong, here and by the server', async () => {
    const { server, person } = shown({
      [ASK]: problem(400, 'ValidationFailed', 'Some fields need your attention.', {
        start: ['A sheet has 24 labels.'],
      }),
    });
    await person.type(screen.getByLabelText('Start at label'), '0');
    await person.click(button(/stickers/));
    await sees('At least 1.');
    expect(server.asked(ASK)).toHaveLength(0);
    await person.type(screen.getByLabelText('Start at label'), '{Backspace}25');
    await person.click(button(/stickers/));
    await sees('A sheet has 24 labels.');
    expect(screen.queryByText(/could not be made/)).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText('Start at label'));
  });
});

describe('what was made today', () => {
  beforeEach(() => {
    [saved, listed] = [[], []];
    session.begin(userOf('Admin'));
    URL.createObjectURL = () => 'blob:report';
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ file: PDF, name: this.download });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    act(() => session.end());
  });

  it('is listed with its facts, or why it failed', async () => {
    listed = [
      report(),
      report({
        id: OTHER_ID,
        kind: 'stickers',
        state: 'failed',
        options: { columns: 3, start: 5, addedSince: '2026-11-01' },
        askedBy: null,
        madeAt: null,
        size: null,
        pages: null,
        failure: 'Too long.',
      }),
    ];
    shown();
    await sees('Inventory of books');
    const cells = (row: HTMLElement | undefined) => textsOf(within(row as HTMLElement).getAllByRole('cell'));
    expect(cells(screen.getAllByRole('row')[1])).toEqual([
      'Inventory of books',
      isoMinute(MADE_AT),
      '12',
      '34 kB',
      'anna',
      'Download again',
    ]);
    expect(cells(screen.getAllByRole('row')[2])).toEqual([
      'Inventory stickersadded since 2026-11-01, from label 5 on',
      '–',
      '–',
      '–',
      'Account removed',
      'Too long.',
    ]);
  });

  it('is saved again, or says in its place why not', async () => {
    listed = [report({ kind: 'stickers' })];
    const { server, press } = shown({ [fileOf(ID)]: problem(404, 'ReportNotFound', 'It is gone.') });
    await press(/^Download again: Inventory stickers/);
    await sees('It is gone.');
    server.answers[fileOf(ID)] = [200, PDF];
    await press(/^Download again/);
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['InventoryStickers.pdf']));
  });

  it('is empty on a quiet day', async () => {
    shown();
    await sees(/^Nothing yet\./);
  });

  it('tells that it could not be fetched, and tries again', async () => {
    listed = [report()];
    const { server, person } = shown({ [LIST]: problem(500, 'Unexpected', 'No list today.') });
    await sees('No list today.');
    server.answers[LIST] = () => [200, listed];
    await person.click(button('Retry'));
    await sees('Inventory of books');
  });
});
