import * as m from '#words/messages.js';
import type { RulesVersion } from '#contracts/rules/rule-views.js';
import { dayStart, isoMinute } from '../../lib/dates.js';

const beginning = ({ from }: RulesVersion) => (from === null ? -Infinity : Date.parse(from));

/**
 * The version that is in force at an instant, as far as is known: of those that have begun then, the one that began last.
 * @param versions the latest first
 * @param lruLimit as if no later version had been made
 */
export function inForceAt(
  versions: readonly RulesVersion[],
  at: number,
  upTo = Infinity,
): RulesVersion | undefined {
  let found: RulesVersion | undefined;
  for (const each of versions.toReversed()) {
    if (each.version > upTo || each.state === 'withdrawn' || beginning(each) > at) continue;
    if (!found || beginning(each) >= beginning(found)) found = each;
  }
  return found;
}

/** What was in force until a version began, or would have been. */
export function before(versions: readonly RulesVersion[], version: RulesVersion): RulesVersion | undefined {
  const others = versions.filter((each) => each.version < version.version);
  return version.from === null ? others[0] : inForceAt(others, beginning(version));
}

/** The instant at which rules begin that name a day, or none. */
export const beginningOn = (day: string | null, now: number) =>
  day === null || day === '' ? now : dayStart(day);

/** The number of the version that was made last. */
export const latestOf = (versions: readonly RulesVersion[]) =>
  Math.max(...versions.map(({ version }) => version));

export const STATE_LABELS: Record<RulesVersion['state'], string> = {
  past: m.rules_state_past(),
  current: m.rules_state_current(),
  coming: m.rules_state_coming(),
  withdrawn: m.rules_state_withdrawn(),
};

/** When a version that was made begins, or began: "2026-12-01 00:00"; empty for the one that was there from the beginning. */
export const beginningText = ({ from }: Pick<RulesVersion, 'from'>) => (from === null ? '' : isoMinute(from));
