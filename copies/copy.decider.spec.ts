import fc from 'fast-check';
import { COPY_CONDITIONS, COPY_EVENTS, type CopyEvent } from '#contracts/copies/copy-events.js';
import { specification } from '../test-support/decider-specification.js';
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
const givenLent = specification(decider('loan'));
const givenRented = specification(decider('rent'));

const withdrawn: CopyEvent = { type: 'CopyWithdrawn', data: { ...id, withdrawnBy: BY, withdrawnAt: AT } };
const lost: CopyEvent = { type: 'CopyLost', data: { ...id, borrowId: null, reportedBy: BY, reportedAt: AT } };
const damaged: CopyEvent = {
  type: 'CopyDamaged',
  data: { ...id, borrowId: null, reportedBy: BY, reportedAt: AT },
};
const found: CopyEvent = { type: 'CopyFound', data: { ...id, foundBy: BY, foundAt: AT } };
const repaired: CopyEvent = { type: 'CopyRepaired', data: { ...id, repairedBy: BY, repairedAt: AT } };
const moved = (shelfMark: string | null): CopyEvent => ({
  type: 'CopyMoved',
  data: { ...id, shelfMark, movedBy: BY, movedAt: AT },
});

describe('a copy', () => {
  it('that came with its book is there, without an event', () => {
    given().ignores({ type: 'BringBack', ...said });
    given().decides({ type: 'WithdrawCopy', ...said }, withdrawn);
  });

  it('is lost, damaged, found and repaired', () => {
    given().decides({ type: 'ReportLost', borrowId: null, ...said }, lost);
    given(lost).decides({ type: 'BringBack', ...said }, found);
    given(lost, found).decides({ type: 'ReportDamaged', borrowId: null, ...said }, damaged);
    given(damaged).decides({ type: 'BringBack', ...said }, repaired);
    // It turned up, and can be lent no more.
    given(lost).decides({ type: 'ReportDamaged', borrowId: null, ...said }, damaged);
  });

  it('is what it was where the same is said again', () => {
    given(lost).ignores({ type: 'ReportLost', borrowId: null, ...said });
    given(damaged).ignores({ type: 'ReportDamaged', borrowId: null, ...said });
    given(withdrawn).ignores({ type: 'WithdrawCopy', ...said });
    given(moved('A 3')).ignores({ type: 'MoveCopy', shelfMark: 'A 3', ...said });
    given().ignores({ type: 'MoveCopy', shelfMark: null, ...said });
  });

  it('has another place, and keeps it whatever happens to it', () => {
    given().decides({ type: 'MoveCopy', shelfMark: 'A 3', ...said }, moved('A 3'));
    given(moved('A 3'), lost, found).ignores({ type: 'MoveCopy', shelfMark: 'A 3', ...said });
    given(moved('A 3')).decides({ type: 'MoveCopy', shelfMark: null, ...said }, moved(null));
  });

  it('that a reader was charged for is not found by themselves', () => {
    const givenOnesOwn = specification(decider(undefined, BY));
    givenOnesOwn(lost).refuses({ type: 'BringBack', ...said }, 'OwnFee');
    const givenAnothers = specification(decider(undefined, '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11'));
    givenAnothers(lost).decides({ type: 'BringBack', ...said }, found);
  });

  it('is never taken from the reader who has it', () => {
    for (const held of [givenLent, givenRented]) {
      held().refuses({ type: 'WithdrawCopy', ...said }, 'CopyNotOnShelf');
      held().refuses({ type: 'ReportLost', borrowId: null, ...said }, 'CopyNotOnShelf');
      held().refuses({ type: 'ReportDamaged', borrowId: null, ...said }, 'CopyNotOnShelf');
      held().decides({ type: 'MoveCopy', shelfMark: 'B 1', ...said }, moved('B 1'));
    }
  });

  it('that was withdrawn has no place and cannot be lost, but may be kept after all', () => {
    given(withdrawn).refuses({ type: 'MoveCopy', shelfMark: 'B 1', ...said }, 'CopyWithdrawn');
    given(withdrawn).refuses({ type: 'ReportLost', borrowId: null, ...said }, 'CopyWithdrawn');
    given(withdrawn).refuses({ type: 'ReportDamaged', borrowId: null, ...said }, 'CopyWithdrawn');
    given(withdrawn).decides({ type: 'BringBack', ...said }, found);
  });
});

const command: fc.Arbitrary<CopyCommand> = fc.oneof(
  fc.record({
    type: fc.constant('MoveCopy' as const),
    shelfMark: fc.constantFrom('A 1', 'B 2', null),
    by: fc.constant(BY),
    at: fc.constant(AT),
  }),
  fc.record({
    type: fc.constantFrom('WithdrawCopy' as const, 'BringBack' as const),
    by: fc.constant(BY),
    at: fc.constant(AT),
  }),
  fc.record({
    type: fc.constantFrom('ReportLost' as const, 'ReportDamaged' as const),
    borrowId: fc.constant(null),
    by: fc.constant(BY),
    at: fc.constant(AT),
  }),
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
