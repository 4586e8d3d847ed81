import type { RulesVersion } from '#contracts/rules/rule-views.js';
import { isoMinute } from '../../lib/dates.js';

export const STATE_LABELS: Record<RulesVersion['state'], string> = {
  ...{ past: 'Over', current: 'In force', coming: 'To come', withdrawn: 'Withdrawn' },
};

/** "begins on 2026-12-01 00:00", "has been in force since 2026-11-23 10:02". */
export function beginText({ state, from }: Pick<RulesVersion, 'state' | 'from'>): string {
  if (from === null) return 'was there from the beginning';
  return state === 'coming' ? `begins on ${isoMinute(from)}` : `began on ${isoMinute(from)}`;
}
