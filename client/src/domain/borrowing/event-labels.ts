import * as m from '#words/messages.js';
import type { LucideIcon } from 'lucide-react';
import BookCheck from 'lucide-react/icons/book-check';
import BookMarked from 'lucide-react/icons/book-bookmark';
import BookOpen from 'lucide-react/icons/book-open';
import BadgeCheck from 'lucide-react/icons/badge-check';
import CalendarX2 from 'lucide-react/icons/calendar-x-2';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import HandCoins from 'lucide-react/icons/hand-coins';
import MoveRight from 'lucide-react/icons/move-right';
import PackagePlus from 'lucide-react/icons/package-plus';
import PackageX from 'lucide-react/icons/package-x';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Undo2 from 'lucide-react/icons/undo-2';
import { CATEGORIES } from '#contracts/event-log/categories.js';
import type { EventIcon, EventLabels } from '#contracts/event-entry.js';
import { amountText } from '../fees/money.js';

interface Look {
  icon: LucideIcon;
  /** The status colour that it is drawn in. */
  tone: 'rented' | 'issued' | 'expired' | 'not-paid' | 'paid' | 'returned' | 'plain';
}

const EVENTS: Readonly<Record<string, EventLabels>> = CATEGORIES.borrows.events;

const LOOKS: Record<EventIcon, Look> = {
  rented: { icon: BookMarked, tone: 'rented' },
  issued: { icon: BookOpen, tone: 'issued' },
  renewed: { icon: RotateCw, tone: 'issued' },
  expired: { icon: CalendarX2, tone: 'expired' },
  charged: { icon: CircleAlert, tone: 'not-paid' },
  paid: { icon: BadgeCheck, tone: 'paid' },
  waived: { icon: HandCoins, tone: 'paid' },
  returned: { icon: BookCheck, tone: 'returned' },
  undone: { icon: Undo2, tone: 'plain' },
  arrived: { icon: PackagePlus, tone: 'returned' },
  moved: { icon: MoveRight, tone: 'plain' },
  gone: { icon: PackageX, tone: 'expired' },
};

/** How a pictogram is drawn. */
export const iconOf = (mark: EventIcon): Look => LOOKS[mark];

/** The word, icon and colour of an event; of a type that a newer release wrote, its own name. */
export function eventLabels(type: string): Look & { word: string } {
  const entry = Object.hasOwn(EVENTS, type) ? EVENTS[type] : undefined;
  if (!entry) return { word: type, icon: CircleHelp, tone: 'plain' };
  const { label: word, icon: mark } = entry;
  return { word: word(), ...LOOKS[mark] };
}

/**
 * What happened, with the amount where there is one: "Fee charged, 0.50 PLN".
 * @param event its `amount` in grosze
 */
export function eventText({ type, amount }: { type: string; amount: number | null }): string {
  const { word } = eventLabels(type);
  return amount === null ? word : `${word}, ${amountText(amount / 100)}`;
}

/** The books of a borrow in one line. */
export function titlesText(titles: readonly string[]): string {
  return titles.length === 0 ? m.borrow_no_books() : titles.join(', ');
}
