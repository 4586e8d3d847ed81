import * as m from '#words/messages.js';
import type { CopyCondition } from '#contracts/copies/copy-events.js';
import type {
  FindingKind,
  ResolvingAction,
  ScanVerdict,
  StockTaking,
  StockTakingState,
  Verdict,
} from '#contracts/stock-taking/stock-taking.js';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import ScanBarcode from 'lucide-react/icons/scan-barcode';
import { Badge, type Mark } from '../../domain/borrowing/status-badge.js';

/** Which shelves it is about. */
export function shelvesOf({ shelves }: Pick<StockTaking, 'shelves'>): string {
  if (!shelves) return m.stock_whole_library();
  return shelves.from === shelves.until ? m.stock_shelf({ shelf: shelves.from }) : m.stock_shelves(shelves);
}

export const KIND_NAMES: Record<FindingKind, string> = {
  missing: m.stock_missing(),
  misplaced: m.stock_misplaced(),
  unmarked: m.stock_unmarked(),
  found: m.stock_found(),
  lent: m.stock_lent(),
  unknown: m.stock_unknown(),
};

/** What each kind is, over its list. */
export const KIND_LEADS: Record<FindingKind, string> = {
  missing: m.stock_missing_lead(),
  misplaced: m.stock_misplaced_lead(),
  unmarked: m.stock_unmarked_lead(),
  found: m.stock_found_lead(),
  lent: m.stock_lent_lead(),
  unknown: m.stock_unknown_lead(),
};

/** Where there is nothing, which is well. */
export const EMPTY_TEXTS: Record<FindingKind, string> = {
  missing: m.stock_missing_none(),
  misplaced: m.stock_misplaced_none(),
  unmarked: m.stock_unmarked_none(),
  found: m.stock_found_none(),
  lent: m.stock_lent_none(),
  unknown: m.stock_unknown_none(),
};

/** The word on a button, by what it is done about. */
export function actionLabel(kind: FindingKind, action: ResolvingAction): string {
  if (action === 'lost') return m.stock_mark_lost();
  if (action === 'move') return kind === 'misplaced' ? m.stock_keep_here() : m.stock_give_mark();
  if (action === 'bring-back') return m.stock_back_on_shelf();
  return kind === 'misplaced' ? m.stock_put_back() : m.stock_set_aside();
}

/** What became of it, in a list. */
export const DONE_LABELS: Record<ResolvingAction, string> = {
  lost: m.stock_done_lost(),
  move: m.stock_done_move(),
  'bring-back': m.stock_done_bring_back(),
  leave: m.stock_done_leave(),
};

const YET_HERE: Record<CopyCondition, string> = {
  present: m.stock_said_there(),
  lost: m.stock_said_lost(),
  damaged: m.stock_said_damaged(),
  withdrawn: m.stock_said_withdrawn(),
};

const ISBN = /^97[89]\d{10}$/;

/** What is said in large letters of a code that was scanned. */
export function verdictText({ verdict, shelfMark, condition, code }: ScanVerdict): string {
  switch (verdict) {
    case 'in-place':
    case 'missing':
      return m.stock_in_place();
    case 'misplaced':
      return shelfMark === null ? m.stock_belongs_elsewhere() : m.stock_belongs_to({ shelf: shelfMark });
    case 'unmarked':
      return m.stock_has_no_mark();
    case 'found':
      return YET_HERE[condition ?? 'lost'];
    case 'lent':
      return m.stock_said_lent();
    case 'unknown':
      return ISBN.test(code) ? m.stock_is_isbn() : m.stock_not_ours();
  }
}

export const VERDICT_TONES: Record<Verdict, string> = {
  'in-place': 'returned',
  missing: 'returned',
  misplaced: 'issued',
  unmarked: 'issued',
  found: 'rented',
  lent: 'not-paid',
  unknown: 'expired',
};

const STATES: Record<StockTakingState, Mark> = {
  open: { word: m.stock_state_open(), icon: ScanBarcode, tone: 'rented' },
  paused: { word: m.stock_state_paused(), icon: CirclePause, tone: 'issued' },
  finished: { word: m.stock_state_finished(), icon: CircleCheck, tone: 'returned' },
};

export function StateMark({ state }: { state: StockTakingState }) {
  return (
    <span>
      <Badge {...STATES[state]} />
    </span>
  );
}
