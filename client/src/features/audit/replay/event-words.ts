import {
  BookCheck,
  BookMarked,
  BookOpen,
  BadgeCheck,
  CalendarX2,
  CircleAlert,
  CircleHelp,
  RotateCw,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { borrowEventSchemas, type BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import { inPln } from '../../../domain/fees/money.js';
import type { HistoryEvent } from './history.js';

interface Words {
  word: string;
  icon: LucideIcon;
  /** The status colour that it is drawn in. */
  tone: 'rented' | 'issued' | 'expired' | 'not-paid' | 'paid' | 'returned' | 'plain';
}

const WORDS: Record<BorrowEventType, Words> = {
  BooksRented: { word: 'Rented', icon: BookMarked, tone: 'rented' },
  BooksIssued: { word: 'Issued', icon: BookOpen, tone: 'issued' },
  BorrowRenewed: { word: 'Renewed', icon: RotateCw, tone: 'issued' },
  BorrowExpired: { word: 'Expired', icon: CalendarX2, tone: 'expired' },
  FineCharged: { word: 'Fee charged', icon: CircleAlert, tone: 'not-paid' },
  FinePaid: { word: 'Fee paid', icon: BadgeCheck, tone: 'paid' },
  BooksReturned: { word: 'Returned', icon: BookCheck, tone: 'returned' },
  RentAbandoned: { word: 'Rent given up', icon: Undo2, tone: 'plain' },
};

/** The types of events that this release knows, in the order of a borrow's life. */
export const EVENT_TYPES = Object.keys(borrowEventSchemas) as BorrowEventType[];

/** The word, icon and colour of an event; of a type that a newer release wrote, its own name. */
export function wordsOf(type: string): Words {
  return (WORDS as Partial<Record<string, Words>>)[type] ?? { word: type, icon: CircleHelp, tone: 'plain' };
}

/** What happened, with the amount where there is one: "Fee charged, 0.50 PLN". */
export function whatHappened({ type, amount }: HistoryEvent): string {
  const { word } = wordsOf(type);
  return amount === null ? word : `${word}, ${inPln(amount / 100)}`;
}

/** The books of a borrow in one line. */
export function titlesText(titles: readonly string[]): string {
  return titles.length === 0 ? 'No books' : titles.join(', ');
}
