import type { WaiverReason } from '#contracts/borrowing/borrow-events.js';

/** Why a fee was waived, as it is shown. */
export const WAIVER_LABELS: Record<WaiverReason, string> = {
  goodwill: 'Goodwill',
  illness: 'Illness',
  'library-error': 'Our own mistake',
  hardship: 'Hardship',
  other: 'Another reason',
};
