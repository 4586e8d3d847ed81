import type { MoveReason } from '#contracts/holds/hold-events.js';

/** Why a librarian gave a hold another place. */
export const MOVE_LABELS: Record<MoveReason, string> = {
  'library-error': 'The library’s mistake',
  urgent: 'Needed urgently',
  study: 'Needed for study',
  other: 'Another reason',
};
