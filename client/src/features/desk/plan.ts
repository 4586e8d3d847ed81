import * as m from '#words/messages.js';
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
    return refuse(m.desk_no_reader_matches({ text }), [m.desk_scan_or_type_reader()]);
  }
  if (found.totalCount === 1) return { do: 'meet', reader: first };
  if (mode === 'hand-over') return { do: 'ask', found };
  return say('plain', m.desk_readers_match({ count: found.totalCount }), [WITHOUT_READER]);
}

/** What is said of a reader where books are taken back. */
export const WITHOUT_READER = m.desk_without_reader();

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
        headline: m.desk_who_brought_it(),
        details: [m.desk_several_have_it()],
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
        headline: m.desk_was_it_lost(),
        details: [m.desk_copy_marked_lost()],
        choices: lostBy,
        isLost: true,
      },
    };
  }
  const details: string[] = copy && copy.condition !== 'present' ? [CONDITIONS[copy.condition]] : [];
  if (keptFor) {
    details.push(m.desk_kept_for_until({ reader: keptFor.user.fullname, day: isoDay(keptFor.collectBy) }));
  } else if (details.length === 0) details.push(putBack(copy?.shelfMark));
  return { do: 'say', line: { ...about(scanned), tone: 'plain', headline: m.desk_nobody_has_it(), details } };
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
    return refused(m.desk_who_is_it_for(), [m.desk_card_first()]);
  }
  if (copy && copy.condition !== 'present') {
    return refused(
      m.desk_not_lent(),
      [CONDITIONS[copy.condition]],
      copy.condition === 'lost' ? 'take-back' : undefined,
    );
  }
  if (ofReader?.state === 'lent') {
    return refused(m.desk_already_with_reader(), [
      ofReader.dueDate === null
        ? m.desk_has_this_book({ reader: reader.fullname })
        : m.desk_has_this_book_due({ reader: reader.fullname, day: isoDay(ofReader.dueDate) }),
    ]);
  }
  if (scanned.book.kind === 'reading-room' && !ofReader) {
    return refused(m.desk_not_lent(), [m.desk_reading_room_only()]);
  }
  const [holder] = holders;
  if (isKnown && holder) {
    return refused(m.desk_lent_to({ reader: holder.user.fullname }), [m.desk_take_back_first()], 'take-back');
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
  lost: m.desk_copy_lost(),
  damaged: m.desk_copy_damaged(),
  withdrawn: m.desk_copy_withdrawn(),
} as const;

/** Where a book goes. */
export function putBack(shelfMark: string | null | undefined): string {
  return shelfMark ? m.desk_put_back_shelf({ shelf: shelfMark }) : m.desk_put_back();
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
