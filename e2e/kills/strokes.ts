import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../test-support/wait-for.js';
import { MailVictim, RedisVictim, type PartName, type Victim } from './parts.js';
import type { Blow, Stroke } from './plan.js';

/** A blow that fell, and when, by the clock of the process. */
export interface Fallen {
  part: PartName;
  /** What it was doing, where that makes a difference. */
  role: string;
  blow: Blow;
  /** From here on it was away. */
  from: number;
  /** When it was started, or went on. */
  started: number;
  /** When it was open again. */
  open: number;
  /** What it said since it was started. */
  output: string;
}

/** Milliseconds in which somebody is told of a success again, on a busy machine. */
const COMES_BACK_WITHIN = 60_000;
/** Milliseconds in which a letter comes that can be broken off. */
const LETTER_COMES_WITHIN = 120_000;
/** Parts that may be away at once. */
const MAX_AT_ONCE = 2;

/**
 * Strikes one blow after the other, some while an earlier part still comes back. Resolves when all parts are open.
 * @param done how many successes clients were told of
 * @param struck told of each blow when its part is open again
 */
export async function strike(
  plan: readonly Stroke[],
  done: () => number,
  struck: (fallen: Fallen) => void,
): Promise<void> {
  const comingBack = new Map<Victim, Promise<void>>();
  let before = done();
  for (const stroke of plan) {
    await comingBack.get(stroke.victim);
    while (comingBack.size >= MAX_AT_ONCE) await Promise.race(comingBack.values());
    if (stroke.underLoad && comingBack.size === 0) await waitFor(() => done() > before, COMES_BACK_WITHIN);
    before = done();
    await sleep(stroke.after);
    const recovery = blowTo(stroke)
      .then(struck)
      .finally(() => comingBack.delete(stroke.victim));
    comingBack.set(stroke.victim, recovery);
    // It is awaited below, or with the next blow to this part.
    recovery.catch(() => undefined);
    if (!stroke.nextAtOnce) await recovery;
  }
  await Promise.all(comingBack.values());
}

async function blowTo({ victim, blow, away, again }: Stroke): Promise<Fallen> {
  const role = (await victim.role?.()) ?? '';
  let from = Date.now();
  let started = from;
  switch (blow) {
    case 'paused':
      victim.pause();
      await sleep(away);
      started = Date.now();
      victim.resume();
      break;
    case 'in the letter':
    case 'before acceptance':
    case 'after acceptance':
      if (!(victim instanceof MailVictim)) throw new Error(`No letters come to the ${victim.part}.`);
      await victim.server
        .breakNext(blow, AbortSignal.timeout(LETTER_COMES_WITHIN))
        .catch((cause: unknown) => {
          throw new Error(`No letter came to the mail server within ${LETTER_COMES_WITHIN} ms, under load.`, {
            cause,
          });
        });
      from = started = Date.now();
      break;
    case 'killed':
    case 'killed twice':
    case 'emptied':
      if (blow === 'emptied' && victim instanceof RedisVictim) await victim.lose();
      else await victim.kill();
      from = Date.now();
      await sleep(away);
      started = Date.now();
      victim.launch();
      if (blow === 'killed twice') {
        await sleep(again);
        await victim.kill();
        started = Date.now();
        victim.launch();
      }
      await victim.opened();
  }
  return { part: victim.part, role, blow, from, started, open: Date.now(), output: victim.output ?? '' };
}
