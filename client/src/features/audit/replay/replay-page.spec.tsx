import { act, render, screen, waitFor } from '@testing-library/react';
import { jest } from '@jest/globals';
import { NO_BORROW } from '#contracts/audit/timeline.js';
import { sees } from '../../../../test-support/on-screen.js';
import { show, userOf } from '../../../../test-support/screen.js';
import { answered, refused, serverOf, type Answers, type Call } from '../../../../test-support/server.js';
import { ID } from '../../../../test-support/views.js';
import { timelineOf, type TestEvent } from '../../../../test-support/audit-history.js';
import { session } from '../../../lib/session.js';
import { readAddress, writeAddress } from '../../../lib/use-address.js';
import { REPLAY_ADDRESS, type ReplayAddress } from './replay-address.js';
import { ReplayPage } from './replay-page.js';
import { historyOf } from './history/history.js';
import { PrintedHistory } from './history/printed-history.js';

const TIMELINE = `GET Audit/readers/${ID}/timeline`;
const STATE = `GET Audit/readers/${ID}/state`;

const events: TestEvent[] = [
  { type: 'RentAbandoned', borrow: 'a', at: '2026-03-01T10:00:00Z' },
  { type: 'RentAbandoned', borrow: 'b', at: '2026-03-02T10:00:00Z' },
  { type: 'RentAbandoned', borrow: 'c', at: '2026-03-03T10:00:00Z' },
];

const stateOf = ({ query }: Call) => {
  const revision = Number(query.at);
  const byStatus = { Rented: 0, Issued: 0, Returned: 0, Expired: 0, Not_Paid: 0, Paid: 0 };
  return answered({
    asOf: { revision, at: revision < 0 ? null : events[revision]?.at },
    totals: { borrows: 0, byStatus, charged: 0, paid: 0, due: 0 },
    ...{ items: [], totalCount: 0 },
  });
};
const ALL = answered(timelineOf(events));

function shown(search = '', answers: Answers = {}) {
  session.begin(userOf('Auditor'));
  const server = serverOf({ [TIMELINE]: ALL, [STATE]: stateOf, ...answers });
  const routes = [{ path: '/audit/readers/:readerId', element: <ReplayPage /> }];
  return { server, ...show(routes, `/audit/readers/${ID}${search}`) };
}

describe('the replay of a reader', () => {
  afterEach(() => act(() => session.end()));

  it('begins where its address says, and the address follows once one rests', async () => {
    const { press, address } = shown('?at=1');
    await sees(/event 1 of 3/);
    await press('Step forward');
    await sees(/, event 2 of 3/);
    const instant = screen.getByRole('slider', { name: 'Instant' }).getAttribute('aria-valuetext');
    expect(instant).toMatch(/^Event 2 of 3, 2026-03-02 .*, Rent abandoned$/);
    await waitFor(() => expect(address()).toBe(`/audit/readers/${ID}?at=2`));
    await press('Step forward');
    // At the end it follows what comes: its address names no event.
    await waitFor(() => expect(address()).toBe(`/audit/readers/${ID}`));
  });

  it('has all of a history that comes in parts', async () => {
    const parts = ({ query }: { query: Record<string, string> }) => {
      const timeline = timelineOf(events, Number(query['after']));
      return answered({ ...timeline, rows: timeline.rows.slice(0, 2) });
    };
    const { server } = shown('?at=3', { [TIMELINE]: parts });
    await sees(/event 3 of 3/);
    expect(server.asked(TIMELINE).map(({ query }) => query['after'])).toEqual(['-1', '1']);
  });

  it('is quiet to the ear while it plays', async () => {
    const { press } = shown('?at=1');
    const asOf = await screen.findByText(/event 1 of 3/);
    await waitFor(() => expect(asOf.closest('p')?.getAttribute('aria-live')).toBe('polite'));
    await press('Play');
    expect(asOf.closest('p')?.getAttribute('aria-live')).toBe('off');
    await press('Pause');
  });

  it('has words for a reader to whom nothing has happened', async () => {
    shown('', { [TIMELINE]: answered(timelineOf([])) });
    await sees('Nothing has happened yet');
  });

  it('goes to the not-found page for a reader whom nobody knows', async () => {
    const { address } = shown('', { [TIMELINE]: refused('NotFound', 'There is no such reader.') });
    await waitFor(() => expect(address()).toBe('/not-found'));
  });

  it('can be asked for again where no answer came', async () => {
    const { server, press } = shown('', { [TIMELINE]: refused('DatabaseUnavailable', 'Busy.') });
    await sees('Busy.');
    server.answers[TIMELINE] = ALL;
    await press('Retry');
    await sees(/event 3 of 3/);
  });

  it('says in words what happened to a reservation, which is of no borrow', async () => {
    const { rows, ...timeline } = timelineOf(events.slice(0, 1));
    const at = '2026-03-01T10:00:00Z';
    const { server } = shown('', {
      [TIMELINE]: answered({
        ...{ ...timeline, types: ['HoldMoved'], borrows: [], holds: { 0: 'Dune' } },
        rows: rows.map(([revision, , , ...rest]) => [revision, 0, NO_BORROW, ...rest]),
      }),
      [`GET Audit/readers/${ID}/events/0`]: answered({
        ...{ revision: 0, position: '1', id: ID, type: 'HoldMoved', recordedAt: at, occurredAt: at },
        ...{ borrowId: null, actor: { id: ID, name: 'Ola Biel', kind: 'account' }, correlationId: null },
        ...{ causationId: null, policyVersion: null, schemaVersion: 1, metadata: {} },
        data: { holdId: ID, before: null, reason: 'study', movedBy: ID, movedAt: '2026-03-01T10:00:00.000Z' },
      }),
    });
    await sees('A librarian moved it, last of all: needed for study.');
    expect(screen.getByRole('heading', { name: 'Reservation moved: Dune' })).toBeTruthy();
    expect(server.calls.filter(({ call }) => call.includes('Audit/borrows'))).toHaveLength(0);
  });
});

const read = (search: string) => readAddress(REPLAY_ADDRESS, new URLSearchParams(search));
const write = (address: ReplayAddress) => Object.fromEntries(writeAddress(REPLAY_ADDRESS, address));

describe('the address of a replay', () => {
  it('says nothing where it is as usual', () => {
    const usual = read('');
    expect(usual).toEqual({ at: null, borrowId: null, kind: null, proportion: 'time', tab: 'replay' });
    expect(write(usual)).toEqual({});
  });

  it('brings back all that it says', () => {
    const search = { at: '37', borrow: ID, kind: 'FineCharged', by: 'events', tab: 'looks' };
    expect(write(read(new URLSearchParams(search).toString()))).toEqual(search);
    expect(read('at=0').at).toBe(0);
  });

  it.each(['at=-1', 'at=x', 'at=1e9', 'at=99999999999', 'borrow=x', 'kind=DropTable', 'by=luck', 'tab=x'])(
    'takes %s for nothing',
    (search) => expect(read(search)).toEqual(read('')),
  );
});

describe('the printed history', () => {
  beforeEach(() => {
    window.print = jest.fn();
  });

  it('names the version of the rules and for which kinds they were applied, where an event went by them', () => {
    const at = '2026-03-04T10:00:00Z';
    const timeline = timelineOf([
      { type: 'BooksRented', borrow: 'a', at },
      { type: 'FineCharged', borrow: 'a', at, amount: 50 },
      { type: 'FineCharged', borrow: 'a', at, amount: 50 },
    ]);
    const chain = {
      ...{ exportedAt: at, firstHash: 'f'.repeat(64), finalHash: 'a'.repeat(64) },
      hashes: new Map(timeline.rows.map(([revision]) => [revision, String(revision).repeat(64)])),
    };
    const history = historyOf({ ...timeline, kinds: { 2: ['child', 'short-loan'] } });
    render(<PrintedHistory history={history} chain={chain} onDone={() => undefined} />);
    const rules = screen.getAllByRole('row').map((row) => row.children[5]?.textContent);
    expect(rules).toEqual(['Rules', '', 'version 1', 'version 1, for: Child, Short loan']);
  });
});
