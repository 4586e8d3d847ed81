import type { MarcImport, MarcImportState, MarcOutcome, MarcRow } from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';

export const OUTCOME_NAMES: Record<MarcOutcome, string> = {
  new: m.import_outcome_new(),
  changed: m.import_outcome_changed(),
  same: m.import_outcome_same(),
  unsure: m.import_outcome_unsure(),
  refused: m.import_outcome_refused(),
};

export const DONE_NAMES: Record<NonNullable<MarcRow['done']>, string> = {
  added: m.import_done_added(),
  changed: m.import_done_changed(),
  left: m.import_done_left(),
  undone: m.import_done_undone(),
};

const STATE_TEXTS: Record<MarcImportState, (of: MarcImport) => string> = {
  reading: ({ handled }) => m.import_state_reading({ count: handled }),
  staged: () => m.import_state_staged(),
  running: ({ handled, total }) => m.import_state_running({ handled, total }),
  done: ({ done }) => m.import_state_done({ added: done.added, changed: done.changed }),
  undoing: ({ handled, total }) => m.import_state_undoing({ handled, total }),
  undone: ({ done }) =>
    done.left > 0 ? m.import_state_undone_but({ count: done.left }) : m.import_state_undone(),
  failed: () => m.import_state_failed(),
};

/** What is with an import, in a few words. */
export const stateText = (of: MarcImport): string => STATE_TEXTS[of.state](of);

export const recordsOf = ({ outcomes }: MarcImport): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);
