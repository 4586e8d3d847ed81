import type { ReaderImport, ReaderImportOutcome } from '#contracts/accounts/reader-import.js';
import type { MarcOutcome } from '#contracts/catalogue/marc-import.js';
import type { ImportState, StagedImport } from '#contracts/imports.js';
import * as m from '#words/messages.js';

const NAMES = {
  new: m.import_outcome_new(),
  same: m.import_outcome_same(),
  unsure: m.import_outcome_unsure(),
  refused: m.import_outcome_refused(),
};
export const MARC_OUTCOME_NAMES: Record<MarcOutcome, string> = {
  ...NAMES,
  changed: m.import_outcome_changed(),
};
export const READER_OUTCOME_NAMES: Record<ReaderImportOutcome, string> = {
  ...NAMES,
  changed: m.import_done_changed(),
  waiting: m.readers_import_outcome_waiting(),
};

export const DONE_NAMES = {
  added: m.import_done_added(),
  changed: m.import_done_changed(),
  left: m.import_done_left(),
  undone: m.import_done_undone(),
};

export const KIND_NAMES: Record<ReaderImport['kind'], string> = {
  readers: m.common_readers(),
  memberships: m.readers_import_memberships(),
  loans: m.readers_import_loans(),
};

const STATE_TEXTS: Record<ImportState, (of: StagedImport) => string> = {
  reading: ({ handled }) => m.import_state_reading({ count: handled }),
  staged: () => m.import_state_staged(),
  running: ({ handled, total }) => m.import_state_running({ handled, total }),
  done: ({ done: { added = 0, changed = 0 } }) => m.import_state_done({ added, changed }),
  undoing: ({ handled, total }) => m.import_state_undoing({ handled, total }),
  undone: ({ done: { left = 0 } }) =>
    left > 0 ? m.import_state_undone_but({ count: left }) : m.import_state_undone(),
};

/** What is with an import, in a few words. */
export const stateText = (of: StagedImport): string =>
  of.isLeft ? `${STATE_TEXTS[of.state](of)}. ${m.import_state_left()}` : STATE_TEXTS[of.state](of);

export const rowsIn = ({ outcomes }: StagedImport): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);
