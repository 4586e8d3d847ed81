import type { BreakingPoint } from '../../test-support/mail/breaking-mail-server.js';
import type { Random } from '../crash/random.js';
import type { PartName, Victim } from './parts.js';

/** What befalls a part. `killed twice`: once more while it starts. `emptied`: killed, and it comes back with nothing. */
export type Blow = 'killed' | 'killed twice' | 'emptied' | 'paused' | BreakingPoint;

/** One blow, and its circumstances in milliseconds. */
export interface Stroke {
  victim: Victim;
  blow: Blow;
  /** Whether somebody must have been told of a success since the last one: the load is well under way. */
  underLoad: boolean;
  /** From then until the blow. */
  after: number;
  /** How long it stays away, or stands still. */
  away: number;
  /** From its start until it is killed again. */
  again: number;
  /** The next blow falls while this part still comes back. */
  nextAtOnce: boolean;
}

/** Blows of one round, by part; dealt in a random order, so that a short drill has all of them as well. */
const ROUND: Record<PartName, Blow[]> = {
  server: ['killed', 'killed', 'killed twice'],
  projector: ['killed', 'killed', 'killed twice'],
  worker: ['killed', 'killed', 'killed twice'],
  database: ['killed', 'killed twice'],
  'event store': ['killed', 'killed', 'killed twice'],
  Redis: ['killed', 'emptied', 'emptied'],
  'mail server': ['killed', 'in the letter', 'before acceptance', 'after acceptance'],
};
const PAUSED_TOO = 0.35;
const AT_ONCE = 0.4;

/** How many kills a blow counts for: a part that stands still is not killed. */
export const killsIn = (blow: Blow) => (blow === 'paused' ? 0 : blow === 'killed twice' ? 2 : 1);

export const KILLS_OF_A_ROUND = Object.values(ROUND)
  .flat()
  .reduce((sum, blow) => sum + killsIn(blow), 0);

/** Draws blows until there are so many kills. */
export function planOf(kills: number, victims: readonly Victim[], random: Random): Stroke[] {
  const plan: Stroke[] = [];
  let planned = 0;
  while (planned < kills) {
    for (const [part, blow] of dealt(random)) {
      const candidates = victims.filter((victim) => victim.part === part);
      if (candidates.length === 0 || planned >= kills) continue;
      planned += killsIn(blow);
      plan.push({
        victim: random.pick(candidates),
        blow,
        underLoad: random.chance(0.5),
        after: random.between(0, 800),
        away:
          blow === 'paused'
            ? random.between(1_000, 4_000)
            : random.chance(0.5)
              ? 0
              : random.between(0, 1_500),
        again: random.between(50, 1_500),
        nextAtOnce: random.chance(AT_ONCE),
      });
    }
  }
  return plan;
}

function dealt(random: Random): [PartName, Blow][] {
  const round = (Object.entries(ROUND) as [PartName, Blow[]][]).flatMap(([part, blows]) => [
    ...blows.map((blow): [PartName, Blow] => [part, blow]),
    ...(random.chance(PAUSED_TOO) ? [[part, 'paused'] satisfies [PartName, Blow]] : []),
  ]);
  for (let last = round.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random.between(0, last + 1));
    [round[last], round[other]] = [round[other] as [PartName, Blow], round[last] as [PartName, Blow]];
  }
  return round;
}
