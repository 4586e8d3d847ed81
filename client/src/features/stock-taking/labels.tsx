import type { CopyCondition } from '#contracts/copies/copy-events.js';
import type {
  FindingKind,
  ResolvingAction,
  ScanVerdict,
  StockTaking,
  StockTakingState,
  Verdict,
} from '#contracts/stock-taking/stock-taking.js';
import { CircleCheck, CirclePause, ScanBarcode, type LucideIcon } from 'lucide-react';
import badge from '../../domain/borrowing/status-badge.module.css';

const STATE_LABELS: Record<StockTakingState, string> = {
  open: 'Open',
  paused: 'Paused',
  finished: 'Finished',
};

const STATE_TONES: Record<StockTakingState, string> = {
  open: 'rented',
  paused: 'issued',
  finished: 'returned',
};

/** Which shelves it is about. */
export function shelvesOf({ shelves }: Pick<StockTaking, 'shelves'>): string {
  if (!shelves) return 'Whole house';
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
    'They should stand here, nobody has them on loan, and nobody scanned them. Look once more before you mark them lost.',
  misplaced:
    'They were scanned here, and their shelf mark is of elsewhere. Take them to their shelf, or keep them where they are.',
  unmarked:
    'They were scanned here, and have no shelf mark. Give them the one of the shelf where they stand.',
  found: 'They stand here, and the catalogue says that they are lost, damaged or withdrawn.',
  lent: 'They stand here, and a reader is said to have them. Take each back, so that the reader is rid of it.',
  unknown:
    'What was scanned is no copy of this library: a publisher’s barcode, a label of elsewhere, a slip of the scanner.',
};

/** Where there is nothing, which is well. */
export const EMPTY_TEXTS: Record<FindingKind, string> = {
  missing: 'Nothing is missing',
  misplaced: 'Nothing is misplaced',
  unmarked: 'Everything has a shelf mark',
  found: 'Nothing was found',
  lent: 'Nothing lent stands here',
  unknown: 'Every code was known',
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
      return 'In its place';
    case 'misplaced':
      return `Belongs to ${shelfMark ?? 'another shelf'}`;
    case 'unmarked':
      return 'Has no shelf mark';
    case 'found':
      return `Said to be ${conditionWord[condition ?? 'lost']}, and is here`;
    case 'lent':
      return 'Said to be lent, and is here';
    case 'unknown':
      return ISBN.test(code) ? 'An ISBN: scan the library’s own label' : 'No copy of this library';
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

const ICONS: Record<StockTakingState, LucideIcon> = {
  open: ScanBarcode,
  paused: CirclePause,
  finished: CircleCheck,
};

export function StateMark({ state }: { state: StockTakingState }) {
  const Icon = ICONS[state];
  return (
    <span>
      <span className={badge.badge} data-tone={STATE_TONES[state]}>
        <Icon size={14} aria-hidden="true" />
        {STATE_LABELS[state]}
      </span>
    </span>
  );
}
