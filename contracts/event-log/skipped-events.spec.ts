import fc from 'fast-check';
import { skipsUpTo, withoutSkipped, type RecordedInStream } from './skipped-events.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';

const idOf = (revision: number) => `0b54c0de-7f2a-4d0e-9d5e-${String(revision).padStart(12, '0')}`;

const recorded = (revision: number, type = 'BooksRented', data: unknown = {}): RecordedInStream => ({
  id: idOf(revision),
  type,
  revision: BigInt(revision),
  data,
});

const decision = (at: number, revision: number, eventId = idOf(revision)) =>
  recorded(at, 'EventSkipped', {
    revision,
    eventId,
    code: 'unreadable',
    skippedAt: '2026-12-02T08:30:00.000Z',
  });

const revisions = (events: readonly RecordedInStream[]) => events.map(({ revision }) => Number(revision));

describe('events that are skipped', () => {
  it('count until the decision, and from its place on no more', () => {
    const stream = [recorded(0), recorded(1, 'BooksRecalled'), recorded(2), decision(3, 1), recorded(4)];
    expect(revisions(withoutSkipped(stream.slice(0, 3)))).toEqual([0, 1, 2]);
    expect(revisions(withoutSkipped(stream.slice(0, 4)))).toEqual([0, 2, 3]);
    expect(revisions(withoutSkipped(stream))).toEqual([0, 2, 3, 4]);
  });

  it('are named by revision and id: another event than was meant is never left out', () => {
    expect(revisions(withoutSkipped([recorded(0), decision(1, 0, idOf(9))]))).toEqual([0, 1]);
  });

  it('lie before their decision, and are no decisions themselves', () => {
    expect(revisions(withoutSkipped([decision(0, 1), recorded(1)]))).toEqual([0, 1]);
    expect(revisions(withoutSkipped([recorded(0), decision(1, 0), decision(2, 1)]))).toEqual([1, 2]);
  });

  it('stay where a decision itself cannot be read', () => {
    const damaged = { ...decision(1, 0), data: { revision: 'zero' } };
    expect(revisions(withoutSkipped([recorded(0), damaged]))).toEqual([0, 1]);
  });

  it('are exactly those that were named, wherever they lie', () => {
    forAll([fc.array(fc.boolean(), { minLength: 1, maxLength: 30 })], {}, (named) => {
      const events = named.map((_, revision) => recorded(revision));
      const decisions = named.flatMap((isNamed, revision) => (isNamed ? [revision] : []));
      const stream = [...events, ...decisions.map((revision, n) => decision(named.length + n, revision))];
      const left = revisions(withoutSkipped(stream)).filter((revision) => revision < named.length);
      expect(left).toEqual(named.flatMap((isNamed, revision) => (isNamed ? [] : [revision])));
      const [first = -1] = decisions;
      expect(skipsUpTo(BigInt(first), stream)).toBe(decisions.length > 0);
      expect(skipsUpTo(BigInt(first - 1), stream)).toBe(false);
    });
  });
});
