import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import {
  borrowListQuerySchema,
  type BorrowListQuery,
  type BorrowView,
} from '#contracts/borrowing/borrow-views.js';
import { bookOf, borrowView } from '../../../test-support/views.js';
import { servedInTimeZone } from '../../../../test-support/browser/served-time-zone.js';
import { admitArrivals, applyBorrow, fits, queuePage, unmark, type QueuePage } from './queue-page.js';

const ids = new Map<string, string>();
const idOf = (name: string) => {
  const id = ids.get(name) ?? `3f2504e0-4f89-41d3-9a0c-${String(ids.size).padStart(12, '0')}`;
  ids.set(name, id);
  return id;
};

const borrow = (name: string, over: Partial<BorrowView> = {}) =>
  borrowView({
    id: idOf(name),
    user: { id: idOf('reader'), fullname: 'Anna Nowak' },
    availableActions: ['issue'],
    ...over,
  });

const query = (over: Partial<BorrowListQuery> = {}): BorrowListQuery => ({
  ...borrowListQuerySchema.parse({}),
  ...over,
});

const pageOf = (...items: BorrowView[]): QueuePage =>
  queuePage({ items, totalCount: items.length }, query(), 0);
const later = (name: string, over: Partial<BorrowView> = {}) =>
  borrow(name, { rentDate: '2026-11-21T10:00:00Z', position: '200', ...over });

const NOW = 5000;
const RENTED = query({ SortBy: 'Rented' });
/** The page after a message about a borrow that was in this status before it. */
const after = (page: QueuePage, borrow: BorrowView, before?: BorrowStatus, of = query()) =>
  applyBorrow(page, of, borrow, before, NOW);

describe('a page of the queue after a message', () => {
  it('changes a row in its place and marks it', () => {
    const issued = borrow('b', { status: 'Issued', position: '101' });
    const page = after(pageOf(borrow('a'), borrow('b'), borrow('c')), issued, 'Rented');
    expect(page.items.map(({ id }) => id)).toEqual([idOf('a'), idOf('b'), idOf('c')]);
    expect(page.items[1]?.status).toBe('Issued');
    expect(page.marks).toEqual({ [idOf('b')]: NOW });
    expect(page.arrivals).toEqual([]);
  });

  it('ignores what is older than the row, or the same', () => {
    const page = pageOf(borrow('older', { position: '9007199254740993' }));
    for (const position of ['99', '9007199254740992', '9007199254740993']) {
      expect(after(page, borrow('older', { status: 'Issued', position }), 'Rented')).toBe(page);
    }
    const newer = borrow('older', { position: '9007199254740994' });
    expect(after(page, newer, 'Rented')).not.toBe(page);
  });

  it('keeps a row that has left the filter', () => {
    const issued = borrow('d', { status: 'Issued', position: '101' });
    const page = after(pageOf(borrow('d')), issued, 'Rented', RENTED);
    expect(page.items.map(({ status }) => status)).toEqual(['Issued']);
  });

  it('has the rest of a rent that was collected in part in the list of what is rented, as no arrival', () => {
    const books = [bookOf(1, 'Solaris', 'lent'), bookOf(2, 'Lalka', 'reserved')];
    const rest = borrow('part', { status: 'Issued', position: '101', books });
    expect(fits(RENTED, rest)).toBe(true);
    expect(fits(query({ SortBy: 'Issued' }), rest)).toBe(true);
    expect(fits(RENTED, { ...rest, books: [1, 2].map((id) => bookOf(id, 'Lent', 'lent')) })).toBe(false);
    const page = pageOf(borrow('another', { rentDate: '2026-11-21T11:00:00Z' }));
    expect(after(page, rest, undefined, RENTED)).toBe(page);
    expect(after(page, rest, 'Rented', RENTED)).toBe(page);
  });

  it('lets a new borrow wait instead of moving rows', () => {
    const page = after(pageOf(borrow('e')), later('new'));
    expect(page.items).toHaveLength(1);
    expect(page.arrivals.map(({ id }) => id)).toEqual([idOf('new')]);
  });

  it('does not take a changed row of another page for a new one', () => {
    const issued = later('elsewhere', { status: 'Returned', rentDate: '2026-10-01T10:00:00Z' });
    const page = pageOf(borrow('f'));
    expect(after(page, issued, 'Issued')).toBe(page);
    expect(after(page, issued, undefined, query({ pageNumber: 3 }))).toBe(page);
  });

  it('counts what newly comes into the filtered status, and no renewal', () => {
    const filter = query({ SortBy: 'Issued' });
    const issued = borrow('g', { status: 'Issued', position: '300' });
    expect(after(pageOf(), issued, 'Rented', filter).arrivals).toHaveLength(1);
    const older = pageOf(borrow('h', { status: 'Issued', rentDate: '2026-11-21T11:00:00Z' }));
    expect(after(older, { ...issued, renewals: 1 }, undefined, filter)).toBe(older);
    expect(after(older, issued, 'Issued', filter)).toBe(older);
  });

  it('keeps out what the filter or the search excludes', () => {
    const page = pageOf();
    expect(after(page, later('i'), undefined, query({ SortBy: 'Returned' }))).toBe(page);
    expect(after(page, later('i'), undefined, query({ SearchTerm: 'solaris' }))).toBe(page);
    const accented = later('i', { user: { id: idOf('reader'), fullname: 'Renée Żak' } });
    expect(after(page, accented, undefined, query({ SearchTerm: 'renee' })).arrivals).toHaveLength(1);
  });

  it('forgets an arrival that stops fitting while it waits', () => {
    const waiting = after(pageOf(), later('j'), undefined, RENTED);
    const gone = after(waiting, later('j', { status: 'Issued', position: '201' }), 'Rented', RENTED);
    expect(gone.arrivals).toEqual([]);
  });
});

describe('letting arrivals in', () => {
  it('puts them at the top, marked, and keeps the size of the page', () => {
    const two = query({ pageSize: 2 });
    const page = [later('n1'), later('n2', { rentDate: '2026-11-21T12:00:00Z' })].reduce(
      (before, arrival) => after(before, arrival, undefined, two),
      pageOf(borrow('k'), borrow('l')),
    );
    const admitted = admitArrivals(page, two, NOW);
    expect(admitted.items.map(({ id }) => id)).toEqual([idOf('n2'), idOf('n1')]);
    expect(admitted.totalCount).toBe(4);
    expect(admitted.arrivals).toEqual([]);
    expect(Object.keys(admitted.marks)).toHaveLength(2);
  });

  it('takes marks away after two seconds', () => {
    const page = after(pageOf(borrow('m')), borrow('m', { position: '101' }), 'Rented');
    expect(unmark(page, NOW + 1999)).toBe(page);
    expect(unmark(page, NOW + 2000).marks).toEqual({});
  });
});

describe('the filter of live rows', () => {
  afterEach(() => servedInTimeZone(''));
  const afterMidnight = borrow('a', {
    rentDate: '2026-11-09T23:20:00Z',
    issueDate: '2026-11-12T09:00:00Z',
    borrowedBooks: [{ bookId: 1, title: 'Łódź 2026' }],
  });
  const foundBy = (...terms: string[]) =>
    terms.filter((SearchTerm) => fits(query({ SearchTerm }), afterMidnight));

  it('takes a rent and an issue by the days of the library, as the server does', () => {
    servedInTimeZone('Europe/Warsaw');
    expect(foundBy('2026-11-09', '2026-11-10', '2026-11-12', '2026-11-13', '2026-11')).toEqual([
      '2026-11-10',
      '2026-11-12',
      '2026-11',
    ]);
    servedInTimeZone('America/New_York');
    expect(foundBy('2026-11-09', '2026-11-10')).toEqual(['2026-11-09']);
  });

  it('takes whatever is no date for a part of a title or a name, as the server does', () => {
    expect(foundBy('2026', 'lodz', 'nowak', '2026-1', '11-10')).toEqual(['2026', 'lodz', 'nowak']);
  });
});
