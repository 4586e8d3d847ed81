import type { CopyEvent } from '#contracts/copies/copy-events.js';
import { casesOf, specification } from '../test-support/product/decider-specification.js';
import {
  evolveCopy,
  IMPLIED_COPY,
  type CopyOfLibrary,
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
