import { BookMarked, BookOpen, CircleAlert, LibraryBig, PackageX, SearchX } from 'lucide-react';
import type { CopyState } from '#contracts/copies/copy-views.js';
import { Badge, type Mark } from '../borrowing/status-badge.js';

const BADGES: Record<CopyState, Mark> = {
  'on-shelf': { word: 'On the shelf', icon: LibraryBig, tone: 'returned' },
  rented: { word: 'Rented', icon: BookMarked, tone: 'rented' },
  lent: { word: 'Lent', icon: BookOpen, tone: 'issued' },
  lost: { word: 'Lost', icon: SearchX, tone: 'expired' },
  damaged: { word: 'Damaged', icon: CircleAlert, tone: 'not-paid' },
  withdrawn: { word: 'Withdrawn', icon: PackageX, tone: 'gone' },
};

/** Where a copy is, in a word and an icon. */
export const CopyStateBadge = ({ state }: { state: CopyState }) => <Badge {...BADGES[state]} />;
