import * as m from '#words/messages.js';
import BookMarked from 'lucide-react/icons/book-bookmark';
import BookOpen from 'lucide-react/icons/book-open';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import LibraryBig from 'lucide-react/icons/library-big';
import PackageX from 'lucide-react/icons/package-x';
import SearchX from 'lucide-react/icons/search-x';
import type { CopyState } from '#contracts/copies/copy-views.js';
import { Badge, type Mark } from '../borrowing/status-badge.js';

const BADGES: Record<CopyState, Mark> = {
  'on-shelf': { word: m.common_on_shelf(), icon: LibraryBig, tone: 'returned' },
  rented: { word: m.copies_state_rented(), icon: BookMarked, tone: 'rented' },
  lent: { word: m.copies_state_lent(), icon: BookOpen, tone: 'issued' },
  lost: { word: m.copies_state_lost(), icon: SearchX, tone: 'expired' },
  damaged: { word: m.copies_state_damaged(), icon: CircleAlert, tone: 'not-paid' },
  withdrawn: { word: m.copies_state_withdrawn(), icon: PackageX, tone: 'gone' },
};

/** Where a copy is, in a word and an icon. */
export const CopyStateBadge = ({ state }: { state: CopyState }) => <Badge {...BADGES[state]} />;
