import * as m from '#words/messages.js';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { holdShelfFor } from '../../domain/borrowing/borrow-texts.js';
import { amountText } from '../../domain/fees/money.js';
import { isoDay } from '../../lib/dates.js';
import type { DeskCommand, DeskLine, DeskMode, Offer } from './desk-lines.js';
import { WITHOUT_READER } from './plan.js';

/** Something to know of a reader. The first one is read from afar. */
interface Matter {
  /** `refused`: nothing can be lent until it is mended. */
  tone: 'heed' | 'refused';
  headline: string;
  details?: readonly string[];
  offer?: Offer;
}

type Said = Pick<DeskLine, 'tone' | 'headline' | 'details' | 'offers'>;

/** What is said of a reader whose card was scanned: what stands in the way first, then what is to be done. */
export function readerMessage(panel: ReaderPanel, mode: DeskMode): Said {
  const matters = [
    blockOf(panel),
    membershipOf(panel),
    debtOf(panel),
    ...limitOf(panel),
    messageOf(panel),
    refundOf(panel),
    ...waitingFor(panel),
  ].filter((each) => each !== undefined);
  const [first, ...others] = matters;
  if (!first) {
    const isHandedOver = mode === 'hand-over';
    return {
      tone: isHandedOver ? 'good' : 'plain',
      headline: panel.reader.fullname,
      details: [isHandedOver ? m.desk_scan_the_books() : WITHOUT_READER],
      offers: isHandedOver ? [] : [{ do: 'see-reader' }],
    };
  }
  const isStop = matters.some(({ tone }) => tone === 'refused');
  const offers = matters.flatMap(({ offer }) => offer ?? []);
  return {
    tone: isStop ? 'refused' : 'heed',
    headline: first.headline,
    details: [
      ...(first.details ?? []),
      ...others.flatMap(({ headline, details = [] }) => [`${headline}.`, ...details]),
    ],
    // What waits is not handed over to somebody to whom nothing is.
    offers: offers.filter((offer) => !isStop || offer.do !== 'hand-over'),
  };
}

function blockOf({ notice, card }: ReaderPanel): Matter | undefined {
  const details = [
    ...(notice?.blocks ? [notice.message] : []),
    ...(card.blockedAt === null ? [] : [m.desk_card_blocked_no_lending()]),
  ];
  if (details.length === 0) return undefined;
  return { tone: 'refused', headline: m.desk_blocked(), details, offer: { do: 'see-reader' } };
}

function membershipOf({ reader: { memberUntil } }: ReaderPanel): Matter | undefined {
  if (memberUntil === null || memberUntil >= isoDay(Date.now())) return undefined;
  return {
    tone: 'refused',
    headline: m.desk_membership_over(),
    details: [m.desk_membership_ended({ day: memberUntil })],
    offer: { do: 'renew-membership', until: memberUntil },
  };
}

function debtOf({ owes: amount }: ReaderPanel): Matter | undefined {
  if (amount === 0) return undefined;
  return {
    tone: 'refused',
    headline: m.desk_to_pay({ amount: amountText(amount) }),
    offer: { do: 'pay', amount },
  };
}

function limitOf({ books: { have, most } }: ReaderPanel): Matter[] {
  if (have < most) return [];
  return [
    { tone: 'heed', headline: m.desk_books_of_limit({ have, most }), details: [m.desk_more_needs_reason()] },
  ];
}

function messageOf({ notice }: ReaderPanel): Matter | undefined {
  if (!notice || notice.blocks) return undefined;
  return {
    tone: 'heed',
    headline: m.desk_a_message(),
    details: [notice.message],
    offer: { do: 'see-reader' },
  };
}

function refundOf({ refund: amount }: ReaderPanel): Matter | undefined {
  if (amount === 0) return undefined;
  return {
    tone: 'heed',
    headline: m.desk_to_pay_out({ amount: amountText(amount) }),
    offer: { do: 'pay-out', amount },
  };
}

/** Titles that are named; of more, how many. */
const TITLES_NAMED = 4;

/** What is kept for them or was rented by them, and where it stands. */
function waitingFor({ reader: { id, fullname }, borrows, holds }: ReaderPanel): Matter[] {
  const kept = new Set(holds.map(({ borrowId }) => borrowId));
  const waiting = borrows.flatMap(({ borrow }) =>
    borrow.books.flatMap(({ bookId, title, state }) =>
      state === 'reserved' ? [{ borrowId: borrow.id, book: { id: bookId, title } }] : [],
    ),
  );
  if (waiting.length === 0) return [];
  const titles = (isKept: boolean) =>
    waiting.filter(({ borrowId }) => kept.has(borrowId) === isKept).map(({ book }) => book.title);
  const commands = waiting.map((each): DeskCommand => ({ kind: 'issue', person: { id, fullname }, ...each }));
  const [reserved, rented] = [titles(true), titles(false)];
  return [
    {
      tone: 'heed',
      headline: m.desk_books_wait({ count: waiting.length }),
      details: [
        ...(reserved.length > 0
          ? [m.desk_reserved_on_shelf({ shelf: holdShelfFor(fullname), titles: named(reserved) })]
          : []),
        ...(rented.length > 0 ? [m.desk_rented_titles({ titles: named(rented) })] : []),
      ],
      offer: { do: 'hand-over', commands },
    },
  ];
}

function named(titles: readonly string[]): string {
  const more = titles.length - TITLES_NAMED;
  const first = titles.slice(0, TITLES_NAMED).join(', ');
  return more > 0 ? m.desk_titles_and_more({ titles: first, more }) : first;
}
