import fc from 'fast-check';
import { COPY_CONDITIONS, COPY_EVENTS, type CopyEvent } from '#contracts/copies/copy-events.js';
import { casesOf, specification } from '../test-support/decider-specification.js';
import { forAll } from '../test-support/for-all.js';
import {
  evolveCopy,
  IMPLIED_COPY,
  isInService,
  type CopyOfLibrary,
  addCopy,
  decideOnCopy,
  type CopyAtHand,
  type CopyCommand,
} from './copy.decider.js';

const BY = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const AT = '2026-11-23T10:00:00.000Z';
const said = { by: BY, at: AT };
const id = { bookId: 17, copy: 3 };

const decider = (heldFor?: CopyAtHand['heldFor'], lostBy?: string) => ({
  initial: IMPLIED_COPY,
  evolve: evolveCopy,
  decide: (state: CopyOfLibrary, command: CopyCommand): CopyEvent[] => {
    const event = decideOnCopy({ ...id, code: '17-3-9', state, heldFor, lostBy }, command);
    return event ? [event] : [];
  },
});
const given = specification(decider());

const withdraw: CopyCommand = { type: 'WithdrawCopy', ...said };
const lose: CopyCommand = { type: 'ReportLost', borrowId: null, ...said };
const damage: CopyCommand = { type: 'ReportDamaged', borrowId: null, ...said };
const bringBack: CopyCommand = { type: 'BringBack', ...said };
const move = (shelfMark: string | null): CopyCommand => ({ type: 'MoveCopy', shelfMark, ...said });

const report = { ...id, borrowId: null, reportedBy: BY, reportedAt: AT };
const withdrawn: CopyEvent = { type: 'CopyWithdrawn', data: { ...id, withdrawnBy: BY, withdrawnAt: AT } };
const lost: CopyEvent = { type: 'CopyLost', data: report };
const damaged: CopyEvent = { type: 'CopyDamaged', data: report };
const found: CopyEvent = { type: 'CopyFound', data: { ...id, foundBy: BY, foundAt: AT } };
const repaired: CopyEvent = { type: 'CopyRepaired', data: { ...id, repairedBy: BY, repairedAt: AT } };
const moved = (shelfMark: string | null): CopyEvent => ({
  type: 'CopyMoved',
  data: { ...id, shelfMark, movedBy: BY, movedAt: AT },
});

describe('a copy', () => {
  casesOf(given, [
    ['that came with its book is there, without an event', [], bringBack, []],
    ['leaves the collection', [], withdraw, [withdrawn]],
    ['is lost', [], lose, [lost]],
    ['is found', [lost], bringBack, [found]],
    ['is damaged', [lost, found], damage, [damaged]],
    ['is repaired', [damaged], bringBack, [repaired]],
    ['turns up, and can be lent no more', [lost], damage, [damaged]],
    ['is lost as it was', [lost], lose, []],
    ['is damaged as it was', [damaged], damage, []],
    ['is withdrawn as it was', [withdrawn], withdraw, []],
    ['has another place', [], move('A 3'), [moved('A 3')]],
    ['has its place as it was', [moved('A 3')], move('A 3'), []],
    ['has none of its own as it was', [], move(null), []],
    ['keeps its place whatever happens to it', [moved('A 3'), lost, found], move('A 3'), []],
    ['loses its place', [moved('A 3')], move(null), [moved(null)]],
    ['that was withdrawn has no place', [withdrawn], move('B 1'), 'CopyWithdrawn'],
    ['that was withdrawn cannot be lost', [withdrawn], lose, 'CopyWithdrawn'],
    ['that was withdrawn cannot be damaged', [withdrawn], damage, 'CopyWithdrawn'],
    ['that was withdrawn may be kept after all', [withdrawn], bringBack, [found]],
  ]);

  it('that a reader was charged for is not found by themselves', () => {
    specification(decider(undefined, BY))(lost).refuses(bringBack, 'OwnFee');
    const another = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
    specification(decider(undefined, another))(lost).decides(bringBack, found);
  });

  it.each(['loan', 'rent'] as const)('is never taken from the reader by a %s', (heldFor) => {
    const held = specification(decider(heldFor));
    for (const each of [withdraw, lose, damage]) held().refuses(each, 'CopyNotOnShelf');
    held().decides(move('B 1'), moved('B 1'));
  });
});

const command = fc.oneof(
  fc.constantFrom('A 1', 'B 2', null).map(move),
  fc.constantFrom(withdraw, lose, damage, bringBack),
);

describe('the copies of a book', () => {
  it('add up to those that it ever had, in one condition each, and as its events say', () => {
    const step = fc.record({ copy: fc.nat({ max: 8 }), isNew: fc.boolean(), command, isLent: fc.boolean() });
    forAll([fc.nat({ max: 4 }), fc.array(step, { maxLength: 60 })], { numRuns: 300 }, (implied, steps) => {
      const copies = new Map(Array.from({ length: implied }, (_, n) => [n + 1, IMPLIED_COPY]));
      let inService = implied;
      const happened: CopyEvent[] = [];
      const apply = (event: CopyEvent, before: CopyOfLibrary | undefined) => {
        const after = evolveCopy(before ?? IMPLIED_COPY, event);
        inService += Number(isInService(after)) - Number(before !== undefined && isInService(before));
        copies.set(event.data.copy, after);
        happened.push(event);
      };
      for (const { copy, isNew, command: asked, isLent } of steps) {
        const before = copies.get(copy);
        if (isNew) {
          apply(addCopy({ bookId: 17, copy: copies.size + 1 }, { shelfMark: null, ...said }), undefined);
        } else if (before) {
          const heldFor = isLent && isInService(before) ? 'loan' : undefined;
          try {
            const event = decideOnCopy(
              { bookId: 17, copy, code: 'x', state: before, heldFor, lostBy: undefined },
              asked,
            );
            if (event) apply(event, before);
            // A copy that is out stays among those that can be.
            if (heldFor) expect(copies.get(copy)?.condition).toBe('present');
          } catch (error) {
            expect(['CopyNotOnShelf', 'CopyWithdrawn']).toContain((error as { code?: string }).code);
          }
        }
      }
      const states = [...copies.values()];
      const inEach = COPY_CONDITIONS.map(
        (each) => states.filter(({ condition }) => condition === each).length,
      );
      expect(inEach.reduce((sum, count) => sum + count, 0)).toBe(copies.size);
      expect(states.filter(isInService)).toHaveLength(inService);
      // What the log says is what was decided on: folding it anew gives the same copies.
      const folded = new Map(Array.from({ length: implied }, (_, n) => [n + 1, IMPLIED_COPY]));
      for (const event of happened) {
        folded.set(event.data.copy, evolveCopy(folded.get(event.data.copy) ?? IMPLIED_COPY, event));
      }
      expect(folded).toEqual(copies);
    });
  });

  it('carry ids, marks, times and codes in their events, and no text that somebody wrote', () => {
    for (const { data } of Object.values(COPY_EVENTS)) {
      for (const name of Object.keys(data.shape)) {
        expect(name).toMatch(/^(bookId|copy|shelfMark|borrowId|\w+(By|At))$/);
      }
    }
  });
});
