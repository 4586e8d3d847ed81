import fc from 'fast-check';
import type { Level } from '#contracts/dashboard/system-status.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import {
  nextPartState,
  afterOutage,
  type Observation,
  type PartState,
  type IncidentLetter,
} from './part-state.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const BEGIN = Date.parse('2026-11-22T08:00:00Z');

const seen = (level: Level): Observation => ({ level, reason: level === 'ok' ? null : 'away', facts: {} });

/** A part that is looked at every so often; letters are sent as soon as they are owed, unless the test holds them. */
class Watched {
  state: PartState | undefined;
  at = BEGIN;
  readonly letters: { at: number; letter: IncidentLetter }[] = [];
  mail = true;

  be(level: Level, milliseconds: number, step = 10 * SECOND): this {
    for (const until = this.at + milliseconds; this.at < until; this.at += step) {
      this.state = nextPartState(this.state, seen(level), this.at);
      this.send();
    }
    return this;
  }

  send(): void {
    if (!this.mail || !this.state?.owed) return;
    this.letters.push({ at: this.at, letter: this.state.owed });
    this.state = { ...this.state, owed: null };
  }

  get told(): string[] {
    return this.letters.map(({ letter }) => letter.kind);
  }
}

describe('how a part does', () => {
  it('is red as soon as it is seen red, since then, and well as soon as it is seen well', () => {
    const part = new Watched().be('ok', MINUTE);
    const red = part.at;
    part.be('bad', 30 * SECOND);
    expect(part.state).toMatchObject({ level: 'bad', since: red });
    const well = part.at;
    part.be('ok', 20 * SECOND);
    expect(part.state).toMatchObject({ level: 'ok', since: well });
    expect(part.told).toEqual([]);
  });

  it('is told once after ten red minutes, and once when it has been well for five', () => {
    const part = new Watched().be('ok', MINUTE);
    const red = part.at;
    part.be('bad', 10 * MINUTE);
    expect(part.told).toEqual([]);
    part.be('bad', HOUR);
    expect(part.letters).toEqual([{ at: red + 10 * MINUTE, letter: { kind: 'red', since: red } }]);
    const well = part.at;
    part.be('ok', HOUR);
    expect(part.letters[1]).toEqual({
      at: well + 5 * MINUTE,
      letter: { kind: 'well', since: red, until: well, reason: 'away' },
    });
    expect(part.told).toHaveLength(2);
  });

  it('is told of no incident that is over before', () => {
    const part = new Watched()
      .be('bad', 9 * MINUTE)
      .be('ok', HOUR)
      .be('bad', 9 * MINUTE)
      .be('ok', HOUR);
    expect(part.told).toEqual([]);
  });

  it('is told of as one incident where it comes and goes', () => {
    const part = new Watched().be('ok', MINUTE);
    for (let round = 0; round < 20; round += 1) part.be('bad', MINUTE).be('ok', MINUTE);
    expect(part.told).toEqual(['red']);
    expect(part.be('ok', HOUR).told).toEqual(['red', 'well']);
  });

  it('counts no time in which nobody looked', () => {
    const part = new Watched().be('bad', 9 * MINUTE);
    part.at += 12 * HOUR;
    part.be('bad', 9 * MINUTE);
    expect(part.told).toEqual([]);
    expect(part.state).toMatchObject({ since: BEGIN });
    expect(part.be('bad', 2 * MINUTE).told).toEqual(['red']);
  });

  it('keeps a letter until the mail server takes it, and sends one for both where it is well by then', () => {
    const part = new Watched();
    part.mail = false;
    part.be('bad', HOUR);
    expect(part.state?.owed).toEqual({ kind: 'red', since: BEGIN });
    const well = part.at;
    part.be('ok', HOUR);
    part.mail = true;
    part.send();
    expect(part.letters.map(({ letter }) => letter)).toEqual([
      { kind: 'well', since: BEGIN, until: well, reason: 'away' },
    ]);
  });

  it('is told of when the time was over in which nothing could be recorded', () => {
    const before = new Watched().be('ok', MINUTE);
    const away = before.at;
    const short = afterOutage(before.state, seen('bad'), away, away + 9 * MINUTE);
    expect(short).toMatchObject({ owed: null, since: away });
    const long = afterOutage(before.state, seen('bad'), away, away + 11 * MINUTE);
    expect(long).toMatchObject({ owed: { kind: 'red', since: away }, since: away, level: 'bad' });
  });

  it('never floods anybody, whatever a part does', () => {
    const phases = fc.array(
      fc.tuple(
        fc.constantFrom<Level>('ok', 'warning', 'bad'),
        fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * MINUTE),
      ),
      { minLength: 1, maxLength: 80 },
    );
    forAll([phases], { numRuns: 60 }, (all) => {
      const part = new Watched();

      for (const [level, milliseconds] of all) {
        const begin = part.at;

        part.be(level, milliseconds, 30 * SECOND);
        // What is shown is what was seen last.
        expect(part.state?.level).toBe(level);
        expect(part.state!.since).toBeLessThanOrEqual(begin);
      }
      part.letters.forEach(({ at, letter }, index) => {
        // Red and well take turns, and red never comes before ten minutes.
        expect(letter.kind).toBe(index % 2 === 0 ? 'red' : 'well');
        expect(at - letter.since).toBeGreaterThanOrEqual(10 * MINUTE);
        if (letter.kind === 'well') expect(at - letter.until).toBeGreaterThanOrEqual(5 * MINUTE);
        const ofDay = part.letters.filter((other) => other.at <= at && other.at > at - 24 * HOUR);
        expect(ofDay.length).toBeLessThanOrEqual(20);
      });
    });
  });

  it('tells of a part that flaps all day a few times, and not a hundred', () => {
    const part = new Watched();
    while (part.at < BEGIN + 24 * HOUR) part.be('bad', 11 * MINUTE).be('ok', 6 * MINUTE);
    expect(part.told.filter((kind) => kind === 'red').length).toBeLessThanOrEqual(3);
    expect(part.told.length).toBeGreaterThan(0);
  });
});
