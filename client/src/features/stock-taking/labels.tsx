import type { CopyCondition } from '#contracts/copies/copy-events.js';
import type {
  FindingKind,
  ResolvingAction,
  ScanVerdict,
  StockTaking,
  StockTakingState,
  Verdict,
} from '#contracts/stock-taking/stock-taking.js';
import { CircleCheck, CirclePause, ScanBarcode } from 'lucide-react';
import { Badge, type Mark } from '../../domain/borrowing/status-badge.js';

/** Which shelves it is about. */
export function shelvesOf({ shelves }: Pick<StockTaking, 'shelves'>): string {
  if (!shelves) return 'Whole library';
  return shelves.from === shelves.until
    ? `Shelf ${shelves.from}`
    : `Shelves ${shelves.from} to ${shelves.until}`;
}

export const KIND_NAMES: Record<FindingKind, string> = {
  missing: 'Missing',
  misplaced: 'Misplaced',
  unmarked: 'No shelf mark',
  found: 'Found',
  lent: 'Lent, yet here',
  unknown: 'Unknown codes',
};

/** What each kind is, over its list. */
export const KIND_LEADS: Record<FindingKind, string> = {
  missing:
    'These should be here, are not on loan, and were not scanned. Look again before you mark them lost.',
  misplaced: 'These were scanned here but belong on another shelf. Take them there, or keep them here.',
  unmarked: 'These were scanned here and have no shelf mark. Give them the mark of this shelf.',
  found: 'These are here, but the catalogue has them as lost, damaged or withdrawn.',
  lent: 'These are here, but are recorded as on loan. Take each one back to clear the reader’s loan.',
  unknown:
    'These codes are not copies of this library: a publisher’s barcode, another library’s label, or a misread.',
};

/** Where there is nothing, which is well. */
export const EMPTY_TEXTS: Record<FindingKind, string> = {
  missing: 'Nothing is missing',
  misplaced: 'Nothing is misplaced',
  unmarked: 'Everything has a shelf mark',
  found: 'Nothing was found',
  lent: 'Nothing on loan was found here',
  unknown: 'Every code was recognised',
};

/** The word on a button, by what it is done about. */
export function actionLabel(kind: FindingKind, action: ResolvingAction): string {
  if (action === 'lost') return 'Mark lost';
  if (action === 'move') return kind === 'misplaced' ? 'Keep here' : 'Give this shelf’s mark';
  if (action === 'bring-back') return 'Back on the shelf';
  return kind === 'misplaced' ? 'Put back' : 'Set aside';
}

/** What became of it, in a list. */
export const DONE_LABELS: Record<ResolvingAction, string> = {
  lost: 'Marked lost',
  move: 'Got the shelf’s mark',
  'bring-back': 'Back on the shelf',
  leave: 'Set aside',
};

const conditionWord: Record<CopyCondition, string> = {
  present: 'there',
  lost: 'lost',
  damaged: 'damaged',
  withdrawn: 'withdrawn',
};

const ISBN = /^97[89]\d{10}$/;

/** What is said in large letters of a code that was scanned. */
export function verdictText({ verdict, shelfMark, condition, code }: ScanVerdict): string {
  switch (verdict) {
    case 'in-place':
    case 'missing':
      return 'In place';
    case 'misplaced':
      return `Belongs to ${shelfMark ?? 'another shelf'}`;
    case 'unmarked':
      return 'Has no shelf mark';
    case 'found':
      return `Said to be ${conditionWord[condition ?? 'lost']}, and is here`;
    case 'lent':
      return 'Said to be lent, and is here';
    case 'unknown':
      return ISBN.test(code) ? 'This is an ISBN: scan the library’s own label' : 'Not a copy of this library';
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
  open: { word: 'Open', icon: ScanBarcode, tone: 'rented' },
  paused: { word: 'Paused', icon: CirclePause, tone: 'issued' },
  finished: { word: 'Finished', icon: CircleCheck, tone: 'returned' },
};

export function StateMark({ state }: { state: StockTakingState }) {
  return (
    <span>
      <Badge {...STATES[state]} />
    </span>
  );
}
