import { localDay } from '#contracts/local-day.js';
import { money } from '#contracts/money.js';
import * as m from '#words/messages.js';
import {
  renderLetter,
  type Addressee,
  type Letter,
  type LetterSection,
  type RenderedLetter,
} from '../letter.js';
import type { BorrowLetter } from './borrow-letter.decider.js';
import type { VisitLetter, VisitPart } from './visit-letter.decider.js';

/** The recipient, and the base of the links. */
export interface LetterAddressee extends Addressee {
  /** The installation's public address, without a trailing slash. */
  site: string;
  /** By whose days the letter speaks. */
  timeZone: string;
  /** Days before a book is due on which they are reminded; 0 where they are not. */
  reminderDays: number;
  /** Days after which they are told of a fee again. */
  overdueDays: number;
}

type Of<Kind extends BorrowLetter['kind']> = Extract<BorrowLetter, { kind: Kind }>;

/** Writes a letter about a borrow. */
export function borrowLetter(letter: BorrowLetter, to: LetterAddressee): RenderedLetter {
  return renderLetter(to, wordsOf(letter, to));
}

/** What the letters of one kind have of their own. */
type Words = Pick<Letter, 'subject' | 'paragraphs'> & Partial<Letter>;

/** What a letter about a borrow says: of its books, with a link to the reader's borrows where it has no other. */
function wordsOf(letter: BorrowLetter, to: LetterAddressee): Letter {
  // Each letter goes to the words of its own kind, which the type of the table cannot say.
  const write = LETTERS[letter.kind] as (letter: BorrowLetter, to: LetterAddressee) => Words;
  return {
    ...{ list: letter.titles, button: profile(m.letter_see_borrows(), to), notes: [] },
    ...write(letter, to),
  };
}

/**
 * Writes the letter of a visit: where one thing alone was done that has a letter, it is that one; else it has a section for each.
 */
export function visitLetter({ at, parts, waiting, owes }: VisitLetter, to: LetterAddressee): RenderedLetter {
  const [only] = parts;
  const isAlone = only?.part.kind !== 'books-issued' || waiting.length === 0;
  if (only && parts.length === 1 && isAlone && isLetter(only.part)) return borrowLetter(only.part, to);
  const day = dayOf(to);
  const written = parts.map(({ part }) => partOfVisit(part, to));
  const kept = waiting.map(({ titles, collectBy }): LetterSection => ({
    heading: m.letter_visit_waiting(),
    list: titles,
    facts: [[m.letter_fact_collect_by(), day(collectBy)]],
  }));
  return renderLetter(to, {
    subject: m.letter_visit_subject({ day: day(at) }),
    paragraphs: [m.letter_visit_done({ day: day(at) })],
    sections: [...written.map(({ section }) => section), ...kept],
    facts: owes > 0 ? [[m.letter_fact_to_pay_in_all(), money(owes)]] : [],
    button: profile(m.letter_see_borrows(), to),
    notes: [...new Set(written.flatMap(({ notes }) => notes))],
  });
}

function isLetter(part: VisitPart): part is BorrowLetter {
  return part.kind in LETTERS;
}

function partOfVisit(
  part: VisitPart,
  to: LetterAddressee,
): { section: LetterSection; notes: readonly string[] } {
  const day = dayOf(to);
  if (isLetter(part)) {
    const { heading, subject, paragraphs, list = [], facts = [], notes } = wordsOf(part, to);
    if (part.kind === 'books-issued')
      return { section: { heading: m.letter_visit_borrowed(), list, facts }, notes };
    return { section: { heading: heading ?? subject, paragraphs, list, facts }, notes };
  }
  const { titles: list } = part;
  const count = list.length;
  switch (part.kind) {
    case 'books-returned':
      return { section: { heading: m.letter_visit_returned(), list }, notes: [] };
    case 'borrow-renewed':
      return {
        section: {
          heading: m.letter_visit_renewed(),
          list,
          facts: [[m.letter_fact_due_back(), day(part.dueDate)]],
        },
        notes: renewing(part.renewalsLeft, count),
      };
    case 'fee-waived':
      return {
        section: {
          heading: m.letter_visit_waived(),
          list,
          facts: [[m.letter_fact_waived(), money(part.amount)], ...stillToPay(part.due)],
        },
        notes: [],
      };
    case 'waiver-undone':
      return {
        section: {
          heading: m.letter_visit_waiver_undone(),
          paragraphs: [m.letter_visit_waiver_undone_what_happened({ amount: money(part.amount) })],
          list,
          facts: [[m.letter_fact_corrected(), day(part.undoneAt)], ...stillToPay(part.due)],
        },
        notes: [],
      };
    case 'return-undone':
      return {
        section: {
          heading: m.letter_visit_return_undone({ count }),
          paragraphs: [m.letter_visit_return_undone_what_happened({ count })],
          list,
          facts: [
            [m.letter_fact_corrected(), day(part.undoneAt)],
            ...(part.dueDate === null
              ? []
              : ([[m.letter_fact_due_back(), day(part.dueDate)]] satisfies Fact[])),
          ],
        },
        notes: [],
      };
  }
}

const stillToPay = (due: number): Fact[] => (due > 0 ? [[m.letter_fact_still_to_pay(), money(due)]] : []);

const LETTERS: { [Kind in BorrowLetter['kind']]: (letter: Of<Kind>, to: LetterAddressee) => Words } = {
  'books-rented': rented,
  'books-issued': issued,
  'due-soon': dueSoon,
  'borrow-expired': expired,
  'fee-charged': feeCharged,
  'fee-paid': feePaid,
  'rent-cancelled': rentCancelled,
  'issue-undone': issueUndone,
  'payment-undone': paymentUndone,
  'loss-charged': lossCharged,
  'loss-found': lossFound,
  'loss-undone': lossUndone,
  'refund-paid': refundPaid,
  'finding-undone': findingUndone,
  'refund-undone': refundUndone,
  'hold-cancelled': holdCancelled,
  'hold-not-needed': holdNotNeeded,
};

function rented(letter: Of<'books-rented'>, to: LetterAddressee): Words {
  const { titles, loanDays, isReserved, isAnother } = letter;
  const day = dayOf(to)(letter.collectBy);
  const count = titles.length;
  const facts: Fact[] = [[m.letter_fact_collect_by(), day]];
  const mayKeep = m.letter_rented_loan_days({ count, days: loanDays });
  if (isReserved) {
    return {
      subject: m.letter_reserved_subject({ day }),
      heading: m.letter_reserved_heading(),
      paragraphs: [isAnother ? m.letter_reserved_another_copy_is_here() : m.letter_reserved_copy_is_here()],
      facts,
      notes: [m.letter_reserved_if_not_collected({ day }), mayKeep],
    };
  }
  return {
    subject: m.letter_rented_subject({ count, day }),
    heading: m.letter_rented_heading({ count }),
    paragraphs: [m.letter_rented_set_aside({ count })],
    facts,
    notes: [m.letter_rented_if_not_collected({ count, day }), mayKeep],
  };
}

function issued({ titles, dueDate, renewalsLeft }: Of<'books-issued'>, to: LetterAddressee): Words {
  const day = dayOf(to)(dueDate);
  const count = titles.length;
  return {
    subject: m.letter_issued_subject({ count, day }),
    heading: m.letter_issued_heading(),
    paragraphs: [m.letter_issued_return_in_time({ count })],
    facts: [[m.letter_fact_due_back(), day]],
    notes: [
      ...renewing(renewalsLeft, count),
      ...(to.reminderDays > 0 ? [m.letter_issued_we_remind({ days: to.reminderDays })] : []),
      m.letter_issued_fee(),
    ],
  };
}

function dueSoon({ titles, dueDate, renewalsLeft }: Of<'due-soon'>, to: LetterAddressee): Words {
  const day = dayOf(to)(dueDate);
  const count = titles.length;
  return {
    subject: m.letter_due_soon_subject({ count, day }),
    heading: m.letter_due_soon_heading({ count }),
    paragraphs: [m.letter_due_soon_return({ count })],
    facts: [[m.letter_fact_due_back(), day]],
    button: profile(renewalsLeft > 0 ? m.letter_renew_or_see_borrows() : m.letter_see_borrows(), to),
    notes: [...renewing(renewalsLeft, count), m.letter_due_soon_just_returned({ count })],
  };
}

function expired({ titles, collectBy, isReserved }: Of<'borrow-expired'>, to: LetterAddressee): Words {
  const day = dayOf(to)(collectBy);
  const count = titles.length;
  const facts: Fact[] = [[m.letter_fact_kept_until(), day]];
  if (isReserved) {
    return {
      subject: m.letter_reserved_expired_subject(),
      heading: m.letter_reservation_over(),
      paragraphs: [m.letter_reserved_expired_what_happened({ day })],
      facts,
      button: catalogue(to),
      notes: [m.letter_reserve_again()],
    };
  }
  return {
    subject: m.letter_expired_subject({ count }),
    heading: m.letter_expired_heading({ count }),
    paragraphs: [m.letter_expired_what_happened({ count, day })],
    facts,
    button: catalogue(to),
    notes: [m.letter_rent_again({ count })],
  };
}

function feeCharged(letter: Of<'fee-charged'>, to: LetterAddressee): Words {
  const { titles, dueDate, daysLate, perBookAndDay, cap, charged, due, paid, waived, grows } = letter;
  const day = dayOf(to)(dueDate);
  const count = titles.length;
  const amount = money(perBookAndDay);
  const most = money(cap);
  return {
    subject: m.letter_fee_subject({ count, day, amount: money(due) }),
    heading: grows ? m.letter_fee_heading_out({ count }) : m.letter_fee_heading_back({ count }),
    paragraphs: [
      grows
        ? m.letter_fee_of_books_out({ count, day, amount })
        : m.letter_fee_of_books_back({ count, day, amount }),
    ],
    facts: [
      [m.letter_fact_due_back(), day],
      [m.letter_fact_days_late(), String(daysLate)],
      [
        m.letter_fact_fee_per_day(),
        m.letter_fee_per_day_of_books({ count, amount: money(perBookAndDay * count) }),
      ],
      ...(paid + waived > 0 ? ([[m.letter_fact_charged_so_far(), money(charged)]] satisfies Fact[]) : []),
      ...(paid > 0 ? ([[m.letter_fact_paid_so_far(), money(paid)]] satisfies Fact[]) : []),
      ...(waived > 0 ? ([[m.letter_fact_waived(), money(waived)]] satisfies Fact[]) : []),
      [m.letter_fact_to_pay_now(), money(due)],
    ],
    button: profile(m.letter_pay_fee(), to),
    notes: [
      !grows
        ? m.letter_fee_is_final()
        : charged >= cap
          ? m.letter_fee_at_its_most({ amount: most })
          : m.letter_fee_grows({ count, amount: most }),
      m.letter_fee_blocks(),
      m.letter_fee_how_often({ days: to.overdueDays }),
    ],
  };
}

function rentCancelled({ titles, cancelledAt, hold }: Of<'rent-cancelled'>, to: LetterAddressee): Words {
  const day = dayOf(to)(cancelledAt);
  const count = titles.length;
  const facts: Fact[] = [[m.letter_fact_cancelled(), day]];
  if (hold === 'set-back') {
    return {
      subject: m.letter_set_back_subject(),
      heading: m.letter_set_back_heading(),
      paragraphs: [m.letter_set_back_what_happened()],
      facts: [[m.letter_fact_changed(), day]],
      button: profile(m.letter_see_holds(), to),
      notes: [m.letter_set_back_nothing_to_do()],
    };
  }
  if (hold === 'cancelled') {
    return {
      subject: m.letter_hold_given_up_subject(),
      heading: m.letter_hold_given_up_heading(),
      paragraphs: [m.letter_hold_given_up_what_happened()],
      facts,
      button: catalogue(to),
      notes: [m.letter_reserve_again()],
    };
  }
  return {
    subject: m.letter_rent_cancelled_subject({ count }),
    heading: m.letter_rent_cancelled_heading(),
    paragraphs: [m.letter_rent_cancelled_what_happened({ count })],
    facts,
    button: catalogue(to),
    notes: [m.letter_rent_again({ count })],
  };
}

function holdCancelled({ cancelledAt }: Of<'hold-cancelled'>, to: LetterAddressee): Words {
  return {
    subject: m.letter_hold_cancelled_subject(),
    heading: m.letter_hold_cancelled_heading(),
    paragraphs: [m.letter_hold_cancelled_what_happened()],
    facts: [[m.letter_fact_cancelled(), dayOf(to)(cancelledAt)]],
    button: catalogue(to),
    notes: [m.letter_hold_cancelled_why(), m.letter_hold_cancelled_reserve_again()],
  };
}

function holdNotNeeded({ neededUntil }: Of<'hold-not-needed'>, to: LetterAddressee): Words {
  const day = dayOf(to)(neededUntil);
  return {
    subject: m.letter_hold_not_needed_subject({ day }),
    heading: m.letter_reservation_over(),
    paragraphs: [m.letter_hold_not_needed_what_happened({ day })],
    facts: [[m.letter_fact_needed_until(), day]],
    button: catalogue(to),
    notes: [m.letter_hold_not_needed_reserve_again()],
  };
}

function issueUndone({ titles, collectBy, undoneAt }: Of<'issue-undone'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const count = titles.length;
  const subject = m.letter_issue_undone_subject({ count });
  if (collectBy === null) {
    return {
      subject,
      heading: m.letter_issue_undone_heading({ count }),
      paragraphs: [m.letter_issue_undone_what_happened({ count })],
      facts: [[m.letter_fact_corrected(), day(undoneAt)]],
    };
  }
  return {
    subject,
    heading: m.letter_issue_undone_still_waits_heading({ count }),
    paragraphs: [m.letter_issue_undone_still_waits({ count })],
    facts: [[m.letter_fact_collect_by(), day(collectBy)]],
  };
}

function paymentUndone(letter: Of<'payment-undone'>, to: LetterAddressee): Words {
  const { transactionId, undoneAt, due } = letter;
  const amount = money(letter.amount);
  return {
    subject: m.letter_payment_undone_subject({ amount }),
    heading: m.letter_payment_undone_heading(),
    paragraphs: [m.letter_payment_undone_what_happened({ amount })],
    facts: [
      [m.letter_fact_amount(), amount],
      [m.letter_fact_transaction(), transactionId],
      [m.letter_fact_cancelled(), dayOf(to)(undoneAt)],
      [m.letter_fact_still_to_pay(), money(due)],
    ],
  };
}

function lossCharged(letter: Of<'loss-charged'>, to: LetterAddressee): Words {
  const { as, reportedAt, price, due } = letter;
  const amount = money(letter.amount);
  const isLost = as === 'lost';
  return {
    subject: isLost ? m.letter_lost_subject({ amount }) : m.letter_damaged_subject({ amount }),
    heading: isLost ? m.letter_lost_heading() : m.letter_damaged_heading(),
    paragraphs: [isLost ? m.letter_lost_what_happened() : m.letter_damaged_what_happened()],
    facts: [
      [isLost ? m.letter_fact_marked_lost() : m.letter_fact_marked_damaged(), dayOf(to)(reportedAt)],
      ...(price === null ? [] : ([[m.letter_fact_price(), money(price)]] satisfies Fact[])),
      [m.letter_fact_charge_with_handling(), amount],
      [m.letter_fact_to_pay_now(), money(due)],
    ],
    button: profile(m.letter_pay(), to),
    notes: [...(isLost ? [m.letter_lost_if_you_find_it()] : []), m.letter_loss_blocks()],
  };
}

function lossFound({ foundAt, amount, due, refund }: Of<'loss-found'>, to: LetterAddressee): Words {
  return {
    subject: m.letter_found_subject({ amount: money(amount) }),
    heading: m.letter_found_heading(),
    paragraphs: [m.letter_found_what_happened()],
    facts: [
      [m.letter_fact_found(), dayOf(to)(foundAt)],
      [m.letter_fact_charge_cancelled(), money(amount)],
      ...(refund > 0 ? ([[m.letter_fact_to_be_refunded(), money(refund)]] satisfies Fact[]) : []),
      [m.letter_fact_still_to_pay(), money(due)],
    ],
    notes: refund > 0 ? [m.letter_found_refund()] : [],
  };
}

function lossUndone({ amount, undoneAt, dueDate }: Of<'loss-undone'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  return {
    subject: m.letter_loss_undone_subject(),
    heading: m.letter_loss_undone_heading(),
    paragraphs: [m.letter_loss_undone_what_happened()],
    facts: [
      [m.letter_fact_charge_cancelled(), money(amount)],
      [m.letter_fact_corrected(), day(undoneAt)],
      ...(dueDate === null ? [] : ([[m.letter_fact_due_back(), day(dueDate)]] satisfies Fact[])),
    ],
  };
}

function refundPaid(letter: Of<'refund-paid'>, to: LetterAddressee): Words {
  const day = dayOf(to)(letter.paidAt);
  const amount = money(letter.amount);
  return {
    subject: m.letter_refund_paid_subject({ amount, day }),
    heading: m.letter_refund_paid_heading(),
    paragraphs: [m.letter_refund_paid_what_happened()],
    facts: [
      [m.letter_fact_refunded(), amount],
      [m.letter_fact_date(), day],
      [m.letter_fact_how_refunded(), m.letter_at_desk()],
      [m.letter_fact_transaction(), letter.transactionId],
    ],
    notes: [m.letter_refund_paid_not_received()],
  };
}

function findingUndone({ amount, undoneAt, due }: Of<'finding-undone'>, to: LetterAddressee): Words {
  return {
    subject: m.letter_finding_undone_subject({ amount: money(due) }),
    heading: m.letter_finding_undone_heading(),
    paragraphs: [m.letter_finding_undone_what_happened()],
    facts: [
      [m.letter_fact_charge(), money(amount)],
      [m.letter_fact_corrected(), dayOf(to)(undoneAt)],
      [m.letter_fact_to_pay_now(), money(due)],
    ],
  };
}

function refundUndone(letter: Of<'refund-undone'>, to: LetterAddressee): Words {
  const { transactionId, undoneAt, refund } = letter;
  const amount = money(letter.amount);
  return {
    subject: m.letter_refund_undone_subject({ amount }),
    heading: m.letter_refund_undone_heading(),
    paragraphs: [m.letter_refund_undone_what_happened({ amount })],
    facts: [
      [m.letter_fact_amount(), amount],
      [m.letter_fact_transaction(), transactionId],
      [m.letter_fact_corrected(), dayOf(to)(undoneAt)],
      [m.letter_fact_to_be_refunded(), money(refund)],
    ],
    notes: [m.letter_refund_undone_collect()],
  };
}

function feePaid(letter: Of<'fee-paid'>, to: LetterAddressee): Words {
  const { transactionId, atDesk, late, losses = [], due, toReturn } = letter;
  const day = dayOf(to)(letter.paidAt);
  const amount = money(letter.amount);
  const isPart = due > 0;
  return {
    subject: isPart
      ? m.letter_part_paid_subject({ amount, day, due: money(due) })
      : m.letter_paid_subject({ amount, day }),
    heading: isPart ? m.letter_part_paid_heading() : m.letter_paid_heading(),
    paragraphs: [isPart ? m.letter_part_paid_receipt() : m.letter_paid_receipt()],
    facts: [
      [m.letter_fact_amount(), amount],
      [m.letter_fact_date(), day],
      [m.letter_fact_where_paid(), atDesk ? m.letter_at_desk() : m.letter_online()],
      [m.letter_fact_transaction(), transactionId],
      ...(late || losses.length === 0 ? [[m.letter_fact_paid_for(), lateFee(letter)] satisfies Fact] : []),
      ...losses.map(({ title, as }): Fact => [
        m.letter_fact_paid_for(),
        as === 'lost' ? m.letter_paid_for_lost_book({ title }) : m.letter_paid_for_damaged_book({ title }),
      ]),
      ...stillToPay(due),
    ],
    notes: toReturn.length > 0 ? [m.letter_paid_still_out({ count: toReturn.length })] : [],
  };
}

/** Of late books alone, how many: they are listed. */
function lateFee({ titles, late, losses }: Of<'fee-paid'>): string {
  if (!late) return m.letter_paid_for_fee({ count: titles.length });
  const { days } = late;
  return losses
    ? m.letter_paid_for_late_titles({ days, titles: late.titles.join(', ') })
    : m.letter_paid_for_late_books({ days, count: late.titles.length });
}

/** `yyyy-MM-dd` (specification, section 9). */
const dayOf =
  ({ timeZone }: LetterAddressee) =>
  (time: string) =>
    localDay(time, timeZone);

type Fact = [label: string, value: string];

/** @param count of the books */
function renewing(renewalsLeft: number, count: number): string[] {
  return [renewalsLeft === 0 ? m.letter_no_renewals_left() : m.letter_renewable({ count })];
}

function profile(label: string, to: LetterAddressee): Letter['button'] {
  return { label, url: `${to.site}/#/profile` };
}

function catalogue(to: LetterAddressee): Letter['button'] {
  return { label: m.letter_back_to_catalogue(), url: `${to.site}/#/catalog` };
}
