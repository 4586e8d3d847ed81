import type { ProblemCode } from '#contracts/problem.js';
import type { FoundReaders } from '#contracts/accounts/reader-card.js';
import type { Holder, Scanned, ScannedBook } from '#contracts/desk/scan.js';
import { isoDay } from '../../lib/dates.js';
import type { DeskCommand, DeskLine, DeskMode, Person, Remedy } from './desk-lines.js';

/** What a line says of a scan for which nothing is sent. */
type Said = Pick<DeskLine, 'tone' | 'headline'> &
  Partial<
    Pick<
      DeskLine,
      'details' | 'book' | 'code' | 'shelfMark' | 'person' | 'remedy' | 'choices' | 'isLost' | 'borrowId'
    >
  >;

type Plan =
  | { do: 'send'; command: DeskCommand }
  | { do: 'say'; line: Said }
  /** A reader, who where books are handed over stands there from now on. */
  | { do: 'meet'; reader: FoundReaders['readers'][number] }
  /** Several are called so: nothing goes on until one is chosen. */
  | { do: 'ask'; found: FoundReaders };

/** What to do about a scan, now that the library has said what it is. */
export function planFor(scanned: Scanned, mode: DeskMode, reader: Person | null, text: string): Plan {
  if (scanned.kind === 'reader') return planForReader(scanned, mode, text);
  return mode === 'take-back' ? planToTakeBack(scanned) : planToHandOver(scanned, reader);
}

function planForReader(found: FoundReaders, mode: DeskMode, text: string): Plan {
  const [first] = found.readers;
  if (!first) {
    return refuse(`No reader matches “${text}”`, ['Scan the card, or type the name, username or email.']);
  }
  if (found.totalCount === 1) return { do: 'meet', reader: first };
  if (mode === 'hand-over') return { do: 'ask', found };
  return say('plain', `${found.totalCount} readers match`, [WITHOUT_READER]);
}

/** What is said of a reader where books are taken back. */
export const WITHOUT_READER = 'Books are taken back without a reader: scan the book.';

function about({ book, copy }: ScannedBook) {
  const { id, title } = book;
  return { book: { id, title }, ...(copy && { code: copy.code, shelfMark: copy.shelfMark }) };
}

function planToTakeBack(scanned: ScannedBook): Plan {
  const { holders, copy, keptFor, lostBy } = scanned;
  // Whoever has other copies did not bring this one.
  if (copy?.condition === 'lost') return { do: 'send', command: findFor(lostBy[0], scanned) };
  const [holder, ...others] = holders;
  if (holder && others.length === 0) return { do: 'send', command: takeBackFrom(holder, scanned) };
  if (holder) {
    return {
      do: 'say',
      line: {
        ...about(scanned),
        tone: 'heed',
        headline: 'Who brought it?',
        details: ['Several readers have this title, and its label was not scanned when it was lent.'],
        choices: holders,
      },
    };
  }
  if (lostBy.length > 0) {
    return {
      do: 'say',
      line: {
        ...about(scanned),
        tone: 'heed',
        headline: 'Was it lost?',
        details: [
          'A copy is marked lost. If this is the one, say whose it was; any other goes back on its shelf.',
        ],
        choices: lostBy,
        isLost: true,
      },
    };
  }
  const details: string[] = copy && copy.condition !== 'present' ? [CONDITIONS[copy.condition]] : [];
  if (keptFor) {
    details.push(
      `It is kept for ${keptFor.user.fullname} until ${isoDay(keptFor.collectBy)}: put it with the holds at the desk.`,
    );
  } else if (details.length === 0) details.push(putBack(copy?.shelfMark));
  return { do: 'say', line: { ...about(scanned), tone: 'plain', headline: 'Nobody has this book', details } };
}

/** Also of one of several who may have it, once they are named. */
export function takeBackFrom(
  holder: Holder,
  {
    book,
    copy,
  }: { book: DeskCommand['book']; copy: Pick<NonNullable<ScannedBook['copy']>, 'code' | 'shelfMark'> | null },
): DeskCommand {
  return {
    kind: 'take-back',
    borrowId: holder.borrowId,
    person: holder.user,
    book: { id: book.id, title: book.title },
    ...(copy && { code: copy.code, shelfMark: copy.shelfMark }),
    dueDate: holder.dueDate,
  };
}

/** A lost book is there: what its reader was charged for it falls. @param loser nobody where no reader lost it */
export function findFor(loser: Holder | undefined, scanned: Parameters<typeof takeBackFrom>[1]): DeskCommand {
  if (loser) return { ...takeBackFrom(loser, scanned), kind: 'find' };
  const { book, copy } = scanned;
  const { id, title } = book;
  return {
    kind: 'bring-back',
    book: { id, title },
    ...(copy && { code: copy.code, shelfMark: copy.shelfMark }),
  };
}

function planToHandOver(scanned: ScannedBook, reader: Person | null): Plan {
  const { ofReader, copy, holders, isKnown } = scanned;
  const refused = (headline: string, details: string[], remedy?: Remedy): Plan => ({
    do: 'say',
    line: { ...about(scanned), tone: 'refused', headline, details, ...(remedy && { remedy }) },
  });
  if (!reader) {
    return refused('Who is it for?', [
      'Scan the reader’s card first, then the book. To take books back, press F4.',
    ]);
  }
  if (copy && copy.condition !== 'present') {
    return refused(
      'Not lent',
      [CONDITIONS[copy.condition]],
      copy.condition === 'lost' ? 'take-back' : undefined,
    );
  }
  if (ofReader?.state === 'lent') {
    return refused('Already with this reader', [
      `${reader.fullname} has this book${ofReader.dueDate === null ? '' : `, due ${isoDay(ofReader.dueDate)}`}. It can be renewed among what is with the reader.`,
    ]);
  }
  if (scanned.book.kind === 'reading-room' && !ofReader) {
    return refused('Not lent', ['This book is for the reading room only.']);
  }
  const [holder] = holders;
  if (isKnown && holder) {
    return refused(
      `Lent to ${holder.user.fullname}`,
      ['Take it back first, then lend it again.'],
      'take-back',
    );
  }
  return {
    do: 'send',
    command: {
      ...about(scanned),
      person: reader,
      ...(ofReader ? { kind: 'issue', borrowId: ofReader.borrowId } : { kind: 'lend' }),
    },
  };
}

const CONDITIONS = {
  present: '',
  lost: 'This copy is marked lost. Take it back first: it is then found, and its charge is cancelled.',
  damaged: 'This copy is marked damaged. Set it aside. Once it is repaired, mark it in the form of its book.',
  withdrawn: 'This copy was withdrawn from the library.',
} as const;

/** Where a book goes. */
export function putBack(shelfMark: string | null | undefined): string {
  return shelfMark ? `Put it back: shelf ${shelfMark}.` : 'Put it back on its shelf.';
}

function refuse(headline: string, details: string[]): Plan {
  return say('refused', headline, details);
}

function say(tone: DeskLine['tone'], headline: string, details: string[]): Plan {
  return { do: 'say', line: { tone, headline, details } };
}

const REMEDIES: Partial<Record<ProblemCode, Remedy>> = {
  FeeNotPaid: 'pay',
  ReaderBlocked: 'see-reader',
  TooManyBooks: 'see-reader',
  CopiesUnavailable: 'reserve',
};

/** What can be done about a refusal. */
export function remedyFor(code: string | undefined): Remedy {
  return REMEDIES[code as ProblemCode] ?? 'again';
}
