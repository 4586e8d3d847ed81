import { localDay } from '#contracts/local-day.js';
import { money } from '#contracts/money.js';
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
  return { list: letter.titles, button: profile('See my borrows', to), notes: [], ...write(letter, to) };
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
    heading: 'Waiting for you at the desk',
    list: titles,
    facts: [['Collect by', day(collectBy)]],
  }));
  return renderLetter(to, {
    subject: `Your visit on ${day(at)}`,
    paragraphs: [`This is what was done for you at the desk on ${day(at)}.`],
    sections: [...written.map(({ section }) => section), ...kept],
    facts: owes > 0 ? [['To be paid in all', money(owes)]] : [],
    button: profile('See my borrows', to),
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
    if (part.kind === 'books-issued') return { section: { heading: 'Borrowed', list, facts }, notes };
    return { section: { heading: heading ?? subject, paragraphs, list, facts }, notes };
  }
  const { titles: list } = part;
  const { book, it } = words(list);
  switch (part.kind) {
    case 'books-returned':
      return { section: { heading: 'Brought back', list }, notes: [] };
    case 'borrow-renewed':
      return {
        section: { heading: 'Renewed', list, facts: [['Due back', day(part.dueDate)]] },
        notes: renewing(part.renewalsLeft, it),
      };
    case 'fee-waived':
      return {
        section: {
          heading: 'A fee was waived',
          list,
          facts: [['Waived', money(part.amount)], ...stillToPay(part.due)],
        },
        notes: [],
      };
    case 'waiver-undone':
      return {
        section: {
          heading: 'A fee is due after all',
          paragraphs: [
            `We told you that a fee of ${money(part.amount)} was waived. That was entered by mistake and has been corrected.`,
          ],
          list,
          facts: [['Corrected', day(part.undoneAt)], ...stillToPay(part.due)],
        },
        notes: [],
      };
    case 'return-undone':
      return {
        section: {
          heading: `You still have the following ${book}`,
          paragraphs: [
            `We told you that you had brought ${it} back. That was entered by mistake and has been corrected.`,
          ],
          list,
          facts: [
            ['Corrected', day(part.undoneAt)],
            ...(part.dueDate === null ? [] : ([['Due back', day(part.dueDate)]] satisfies Fact[])),
          ],
        },
        notes: [],
      };
  }
}

const stillToPay = (due: number): Fact[] => (due > 0 ? [['Still to pay', money(due)]] : []);

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
  const { titles, collectBy, loanDays, isReserved, isAnother } = letter;
  const day = dayOf(to);
  const { book, waits, it } = words(titles);
  const whose = isReserved ? `The ${book} you reserved` : `Your ${book}`;
  return {
    subject: `${whose} ${waits} for you until ${day(collectBy)}`,
    heading: `${whose} ${waits} for you`,
    paragraphs: [
      isReserved
        ? `${isAnother ? 'Another' : 'A'} copy of the ${book} you reserved is here, and we keep ${it} for you. Please collect ${it} at the desk.`
        : `We have set your ${book} aside. Please collect ${it} at the desk.`,
    ],
    facts: [['Collect by', day(collectBy)]],
    notes: [
      isReserved
        ? `After ${day(collectBy)} your reservation is over, and the copy goes to the next reader in line, or back to the shelf.`
        : `After ${day(collectBy)} your ${book} ${titles.length === 1 ? 'goes' : 'go'} back to the shelf, for others to borrow.`,
      `You may keep ${it} for ${loanDays} days from the day you collect ${it}.`,
    ],
  };
}

function issued({ titles, dueDate, renewalsLeft }: Of<'books-issued'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { book, it } = words(titles);
  return {
    subject: `Your ${book}, due back on ${day(dueDate)}`,
    heading: 'Enjoy your reading',
    paragraphs: [`You have borrowed the following ${book}. Please bring ${it} back in time.`],
    facts: [['Due back', day(dueDate)]],
    notes: [
      ...renewing(renewalsLeft, it),
      'We remind you two days before. There is a fee for each day a book is late.',
    ],
  };
}

function dueSoon({ titles, dueDate, renewalsLeft }: Of<'due-soon'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { book, it, is } = words(titles);
  return {
    subject: `Your ${book} ${is} due on ${day(dueDate)}`,
    heading: `Your ${book} ${is} due soon`,
    paragraphs: [`The time for your ${book} is nearly over. Please bring ${it} back to the desk.`],
    facts: [['Due back', day(dueDate)]],
    button: profile(renewalsLeft > 0 ? 'Renew or see my borrows' : 'See my borrows', to),
    notes: [
      ...renewing(renewalsLeft, it),
      `If you have just brought ${it} back, there is nothing you need to do.`,
    ],
  };
}

function expired(letter: Of<'borrow-expired'>, to: LetterAddressee): Words {
  const { titles, collectBy, isReserved } = letter;
  const day = dayOf(to);
  const { book, is, was, it, copy } = words(titles);
  if (isReserved) {
    return {
      subject: `The ${book} you reserved ${was} not collected`,
      heading: 'Your reservation is over',
      paragraphs: [
        `The ${book} you reserved waited at the desk until ${day(collectBy)} and ${was} not collected, so the ${copy} went to the next reader in line, or back to the shelf. There is no fee.`,
      ],
      facts: [['Kept until', day(collectBy)]],
      button: { label: 'Back to the catalogue', url: `${to.site}/#/catalog` },
      notes: [`You can reserve ${it} again as soon as you like.`],
    };
  }
  return {
    subject: `Your ${book} ${was} not collected`,
    heading: `Your ${book} ${is} back on the shelf`,
    paragraphs: [
      `Your ${book} waited at the desk until ${day(collectBy)} and ${was} not collected, so the ${copy} went back to the shelf. There is no fee.`,
    ],
    facts: [['Kept until', day(collectBy)]],
    button: { label: 'Back to the catalogue', url: `${to.site}/#/catalog` },
    notes: [`You can rent ${it} again as soon as you like, while a copy is on the shelf.`],
  };
}

function feeCharged(letter: Of<'fee-charged'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { titles, dueDate, daysLate, perBookAndDay, cap, charged, due, paid, waived, grows } = letter;
  const { book, is, was, it, they, has } = words(titles);
  const perDay = perBookAndDay * titles.length;
  return {
    subject: `Your ${book} ${was} due on ${day(dueDate)}: a fee of ${money(due)} is due`,
    heading: grows ? `Your ${book} ${is} overdue` : `Your ${book} came back late`,
    paragraphs: [
      grows
        ? `Your ${book} ${was} due on ${day(dueDate)} and ${has} not come back. For each day after that there is a fee of ${money(perBookAndDay)} a book. Please pay the fee in your profile or at the desk, and bring ${it} back.`
        : `Your ${book} ${was} due on ${day(dueDate)} and came back after that. For each day there is a fee of ${money(perBookAndDay)} a book. Please pay it in your profile or at the desk.`,
    ],
    facts: [
      ['Due back', day(dueDate)],
      ['Days late', String(daysLate)],
      ['Fee per day', titles.length === 1 ? money(perDay) : `${money(perDay)} (${titles.length} books)`],
      ...(paid + waived > 0 ? ([['Charged so far', money(charged)]] satisfies Fact[]) : []),
      ...(paid > 0 ? ([['Paid so far', money(paid)]] satisfies Fact[]) : []),
      ...(waived > 0 ? ([['Waived', money(waived)]] satisfies Fact[]) : []),
      ['To pay now', money(due)],
    ],
    button: profile('Pay the fee in my profile', to),
    notes: [
      !grows
        ? 'The fee will not increase any further.'
        : charged >= cap
          ? `The fee has reached its maximum of ${money(cap)} and will not increase any further.`
          : `The fee increases each day until ${they} ${is} back, up to ${money(cap)} in all.`,
      'Until it is paid you cannot rent or renew books.',
      'We write about this at most once a week. Your profile always shows the current fee.',
    ],
  };
}

function rentCancelled(letter: Of<'rent-cancelled'>, to: LetterAddressee): Words {
  const { titles, cancelledAt, hold } = letter;
  const { book, waits, it, copy, was } = words(titles);
  const cancelled: Fact = ['Cancelled', dayOf(to)(cancelledAt)];
  const catalogue = { label: 'Back to the catalogue', url: `${to.site}/#/catalog` };
  if (hold === 'set-back') {
    return {
      subject: `Correction: the copy you reserved was needed elsewhere; you are back in line`,
      heading: 'Your reservation goes on',
      paragraphs: [
        `We told you that the ${book} you reserved ${was} ready at the desk. The library needed that copy elsewhere, so please do not come for ${it} yet. You are back in your place in line, and we will write as soon as another copy is here.`,
      ],
      facts: [['Changed', dayOf(to)(cancelledAt)]],
      button: profile('See my holds', to),
      notes: ['There is nothing you need to do, and there is no fee.'],
    };
  }
  if (hold === 'cancelled') {
    return {
      subject: `Your reservation is cancelled: the ${book} no longer ${waits} for you`,
      heading: 'Your reservation is cancelled',
      paragraphs: [
        `We told you that the ${book} you reserved ${was} ready at the desk. You have cancelled since, so the ${copy} went to the next reader in line, or back to the shelf. There is no fee.`,
      ],
      facts: [cancelled],
      button: catalogue,
      notes: [`You can reserve ${it} again as soon as you like.`],
    };
  }
  return {
    subject: `Your rent is cancelled: your ${book} no longer ${waits} for you`,
    heading: 'Your rent is cancelled',
    paragraphs: [
      `We told you that your ${book} ${was} ready at the desk. The rent has been cancelled since, so the ${copy} went back to the shelf. There is no fee.`,
    ],
    facts: [cancelled],
    button: catalogue,
    notes: [`You can rent ${it} again as soon as you like, while a copy is on the shelf.`],
  };
}

function holdCancelled({ titles, cancelledAt }: Of<'hold-cancelled'>, to: LetterAddressee): Words {
  const { book, it } = words(titles);
  return {
    subject: `The library cancelled your reservation of a ${book}`,
    heading: 'Your reservation was cancelled',
    paragraphs: [
      `The library cancelled your reservation of the following ${book}: you are no longer in line, and no copy is kept for you. There is no fee.`,
    ],
    facts: [['Cancelled', dayOf(to)(cancelledAt)]],
    button: { label: 'Back to the catalogue', url: `${to.site}/#/catalog` },
    notes: [
      'If you asked for this at the desk, there is nothing you need to do. If you did not, please ask there: the title may have left the collection.',
      `As long as the ${book} is in the catalogue, you can reserve ${it} again.`,
    ],
  };
}

function holdNotNeeded({ titles, neededUntil }: Of<'hold-not-needed'>, to: LetterAddressee): Words {
  const { book, it } = words(titles);
  const day = dayOf(to)(neededUntil);
  return {
    subject: `Your reservation ended on ${day}: no copy came in time`,
    heading: 'Your reservation is over',
    paragraphs: [
      `You named ${day} as the last day on which you need the following ${book}. No copy was free for you by then, so you are no longer in line. There is no fee.`,
    ],
    facts: [['Needed until', day]],
    button: { label: 'Back to the catalogue', url: `${to.site}/#/catalog` },
    notes: [
      `If you would still like to read ${it}, you can reserve ${it} again, with a later day or with none.`,
    ],
  };
}

function issueUndone({ titles, collectBy, undoneAt }: Of<'issue-undone'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { book, waits, they, was } = words(titles);
  const subject = `Correction: your ${book} ${was} not handed over`;
  if (collectBy === null) {
    return {
      subject,
      heading: `You have not borrowed the following ${book}`,
      paragraphs: [
        `We told you that you had borrowed the following ${book}. That was entered by mistake and has been corrected. There is nothing you need to do.`,
      ],
      facts: [['Corrected', day(undoneAt)]],
    };
  }
  return {
    subject,
    heading: `Your ${book} still ${waits} for you`,
    paragraphs: [
      `We told you that you had borrowed the following ${book}. That was entered by mistake and has been corrected: ${they} still ${waits} for you at the desk.`,
    ],
    facts: [['Collect by', day(collectBy)]],
  };
}

function paymentUndone(letter: Of<'payment-undone'>, to: LetterAddressee): Words {
  const { amount, transactionId, undoneAt, due } = letter;
  return {
    subject: `Correction: the payment of ${money(amount)} was cancelled`,
    heading: 'A payment was cancelled',
    paragraphs: [
      `We sent you a receipt for ${money(amount)} paid at the desk. The payment was entered by mistake and has been corrected, so the receipt is no longer valid. Any money you handed over should have been returned to you; if it was not, please ask at the desk.`,
    ],
    facts: [
      ['Amount', money(amount)],
      ['Transaction', transactionId],
      ['Cancelled', dayOf(to)(undoneAt)],
      ['Still to pay', money(due)],
    ],
  };
}

function lossCharged(letter: Of<'loss-charged'>, to: LetterAddressee): Words {
  const { titles, as, reportedAt, price, amount, due } = letter;
  const { book, it, is, was } = words(titles);
  return {
    subject: `Your ${book} ${is} marked ${as}: ${money(amount)} to pay`,
    heading: `Your ${book} ${is} marked ${as}`,
    paragraphs: [
      as === 'lost'
        ? `The following ${book} ${was} entered as lost, so the loan is over and the library charges the price of a new copy.`
        : `The following ${book} came back damaged and can no longer be lent, so the library charges the price of a new copy.`,
    ],
    facts: [
      [`Marked ${as}`, dayOf(to)(reportedAt)],
      ...(price === null ? [] : ([['Price of the book', money(price)]] satisfies Fact[])),
      ['Charge including the handling fee', money(amount)],
      ['To pay now', money(due)],
    ],
    button: profile('Pay in my profile', to),
    notes: [
      ...(as === 'lost'
        ? [`If you find ${it}, bring ${it} back: we will cancel the charge and refund what you have paid.`]
        : []),
      'Until it is paid you cannot rent or renew anything.',
    ],
  };
}

function lossFound({ titles, foundAt, amount, due, refund }: Of<'loss-found'>, to: LetterAddressee): Words {
  const { book } = words(titles);
  return {
    subject: `Your ${book} was found: the charge of ${money(amount)} is cancelled`,
    heading: `Your ${book} was found`,
    paragraphs: [`The following ${book}, which was marked lost, was found. The charge is cancelled.`],
    facts: [
      ['Found', dayOf(to)(foundAt)],
      ['Charge cancelled', money(amount)],
      ...(refund > 0 ? ([['To be refunded', money(refund)]] satisfies Fact[]) : []),
      ['Still to pay', money(due)],
    ],
    notes: refund > 0 ? ['We will refund what you paid. Please come to the desk.'] : [],
  };
}

function lossUndone(letter: Of<'loss-undone'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { titles, amount, undoneAt, dueDate } = letter;
  const { book, was } = words(titles);
  return {
    subject: `Correction: your ${book} is not being charged`,
    heading: `Your ${book} is not being charged`,
    paragraphs: [
      `We told you that the following ${book} ${was} lost or damaged. That was entered by mistake and has been corrected: you still have the ${book}, and the charge is cancelled.`,
    ],
    facts: [
      ['Charge cancelled', money(amount)],
      ['Corrected', day(undoneAt)],
      ...(dueDate === null ? [] : ([['Due back', day(dueDate)]] satisfies Fact[])),
    ],
  };
}

function refundPaid(letter: Of<'refund-paid'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { amount, paidAt, transactionId } = letter;
  return {
    subject: `Receipt: ${money(amount)} refunded on ${day(paidAt)}`,
    heading: 'Your money was refunded',
    paragraphs: [
      'What you had paid for a book that was found was refunded to you at the desk. This is your receipt: please keep it.',
    ],
    facts: [
      ['Refunded', money(amount)],
      ['Date', day(paidAt)],
      ['How', 'at the desk'],
      ['Transaction', transactionId],
    ],
    notes: ['If you did not receive this money, please ask at the desk.'],
  };
}

function findingUndone(letter: Of<'finding-undone'>, to: LetterAddressee): Words {
  const { titles, amount, undoneAt, due } = letter;
  const { book, is, was } = words(titles);
  return {
    subject: `Correction: your ${book} was not found, ${money(due)} to pay`,
    heading: `Your ${book} was not found`,
    paragraphs: [
      `We told you that the following ${book} ${was} found. That was entered by mistake and has been corrected: the ${book} ${is} still lost, and the charge is due as before.`,
    ],
    facts: [
      ['Charge', money(amount)],
      ['Corrected', dayOf(to)(undoneAt)],
      ['To pay now', money(due)],
    ],
  };
}

function refundUndone(letter: Of<'refund-undone'>, to: LetterAddressee): Words {
  const { amount, transactionId, undoneAt, refund } = letter;
  return {
    subject: `Correction: ${money(amount)} was not refunded`,
    heading: 'Your money has not been refunded yet',
    paragraphs: [
      `We sent you a receipt for a refund of ${money(amount)} at the desk. That was entered by mistake and has been corrected, so the receipt is no longer valid.`,
    ],
    facts: [
      ['Amount', money(amount)],
      ['Transaction', transactionId],
      ['Corrected', dayOf(to)(undoneAt)],
      ['To be refunded', money(refund)],
    ],
    notes: ['You can collect it at the desk.'],
  };
}

function feePaid(letter: Of<'fee-paid'>, to: LetterAddressee): Words {
  const day = dayOf(to);
  const { amount, paidAt, transactionId, atDesk, late, losses = [], due, toReturn } = letter;
  const { book, is, they } = words(toReturn);
  const kept = 'This is your receipt. Please keep it';
  return {
    subject: `Receipt: ${money(amount)} paid on ${day(paidAt)}${due > 0 ? `, ${money(due)} still to pay` : ''}`,
    heading: due > 0 ? 'Thank you, a part of your fee is paid' : 'Thank you, your fee is paid',
    paragraphs: [
      due > 0
        ? `${kept}: it is for a part of what is due.`
        : `${kept}; there is nothing else you need to do.`,
    ],
    facts: [
      ['Amount', money(amount)],
      ['Date', day(paidAt)],
      ['Paid', atDesk ? 'at the desk' : 'online'],
      ['Transaction', transactionId],
      ...(late || losses.length === 0 ? ([['For', lateFee(letter)]] satisfies Fact[]) : []),
      ...losses.map(({ title, as }): Fact => ['For', `${as === 'lost' ? 'Lost' : 'Damaged'} book: ${title}`]),
      ...stillToPay(due),
    ],
    notes:
      toReturn.length > 0
        ? [`Please bring your ${book} back now: the fee increases each day until ${they} ${is} back.`]
        : [],
  };
}

/** Of late books alone, how many: they are listed. */
function lateFee({ titles, late, losses }: Of<'fee-paid'>): string {
  if (!late) return `Fee: ${titles.length} ${words(titles).book}`;
  const books = losses ? late.titles.join(', ') : `${late.titles.length} ${words(late.titles).book}`;
  return `Late fee, ${late.days} ${late.days === 1 ? 'day' : 'days'} late: ${books}`;
}

/** `yyyy-MM-dd` (specification, section 9). */
const dayOf =
  ({ timeZone }: LetterAddressee) =>
  (time: string) =>
    localDay(time, timeZone);

type Fact = [label: string, value: string];

function renewing(renewalsLeft: number, it: string): string[] {
  if (renewalsLeft === 0) return [`You have no renewals left.`];
  return [`You can renew ${it} in your profile until then, as long as you have no unpaid fee.`];
}

function profile(label: string, to: LetterAddressee): Letter['button'] {
  return { label, url: `${to.site}/#/profile` };
}

function words(titles: readonly string[]) {
  return titles.length === 1
    ? { book: 'book', it: 'it', they: 'it', is: 'is', was: 'was', waits: 'waits', copy: 'copy', has: 'has' }
    : {
        book: 'books',
        it: 'them',
        they: 'they',
        is: 'are',
        was: 'were',
        waits: 'wait',
        copy: 'copies',
        has: 'have',
      };
}
