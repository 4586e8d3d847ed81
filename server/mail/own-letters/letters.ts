import type { JobData } from '#platform/jobs/job-map.js';
import { LETTER_KINDS, VISIT_LETTER, type LetterKind } from '#letters/notification-request.js';
import * as m from '#words/messages.js';
import type { BorrowLetter } from '../borrow-letters/borrow-letter.decider.js';
import { borrowLetter, visitLetter, type LetterAddressee } from '../borrow-letters/borrow.letter.js';
import type { VisitLetter } from '../borrow-letters/visit-letter.decider.js';
import { LINK_LETTERS } from '../link-letters.job.js';
import type { RenderedLetter } from '../letter.js';
import { NOTICES, type NoticeName } from '../notices.job.js';

type LinkName = keyof typeof LINK_LETTERS;
export type LetterName = LetterKind | typeof VISIT_LETTER | LinkName | NoticeName;

/** To whom made-up letters go; `site` is the installation's address. */
export type MadeUpAddressee = LetterAddressee & { username: string };

interface Letter {
  name: () => string;
  /** The library may choose that it is not sent. */
  isOptional: boolean;
  /** What it says in each of its cases, of things that have not been: all that may be in it is in one of them. */
  madeUp: readonly ((to: MadeUpAddressee) => RenderedLetter)[];
}

const noon = (day: string) => `2026-${day}T12:00:00.000Z`;
const titles = ['Solaris', 'Lalka'];
const transactionId = 'tx-4711';

type Borrows = { [Kind in LetterKind]: readonly Extract<BorrowLetter, { kind: Kind }>[] };

/** Letters about borrows, made up. */
export const MADE_UP: Borrows = {
  'books-rented': [
    { kind: 'books-rented', titles, collectBy: noon('03-07'), loanDays: 14 },
    { kind: 'books-rented', titles: ['Solaris'], collectBy: noon('03-07'), loanDays: 14, isReserved: true },
    {
      kind: 'books-rented',
      titles: ['Solaris'],
      collectBy: noon('03-07'),
      loanDays: 14,
      isReserved: true,
      isAnother: true,
    },
  ],
  'books-issued': [
    { kind: 'books-issued', titles, dueDate: noon('03-21'), renewalsLeft: 2 },
    { kind: 'books-issued', titles, dueDate: noon('03-21'), renewalsLeft: 0 },
  ],
  'due-soon': [
    { kind: 'due-soon', titles, dueDate: noon('03-21'), renewalsLeft: 1 },
    { kind: 'due-soon', titles, dueDate: noon('03-21'), renewalsLeft: 0 },
  ],
  'borrow-expired': [
    { kind: 'borrow-expired', titles, collectBy: noon('03-07') },
    { kind: 'borrow-expired', titles: ['Solaris'], collectBy: noon('03-07'), isReserved: true },
  ],
  'fee-charged': [
    ...[true, false].map((grows) => ({
      ...{ kind: 'fee-charged' as const, titles, dueDate: noon('03-21'), daysLate: 3, perBookAndDay: 50 },
      ...{ cap: 5000, charged: 300, paid: 100, waived: 50, due: 150, grows },
    })),
    {
      ...{ kind: 'fee-charged', titles, dueDate: noon('03-21'), daysLate: 60, perBookAndDay: 50 },
      ...{ cap: 5000, charged: 5000, paid: 0, waived: 0, due: 5000, grows: true },
    },
  ],
  'fee-paid': [
    {
      ...{ kind: 'fee-paid', titles, amount: 300, paidAt: noon('03-25'), transactionId, atDesk: true },
      ...{ late: { titles, days: 3 }, due: 0, toReturn: titles },
    },
    {
      ...{ kind: 'fee-paid', titles, amount: 300, paidAt: noon('03-25'), transactionId, atDesk: false },
      ...{ late: { titles: ['Lalka'], days: 3 }, losses: [{ title: 'Solaris', as: 'lost' }] },
      ...{ due: 4990, toReturn: [] },
    },
    {
      ...{ kind: 'fee-paid', titles: ['Lalka'], amount: 300, paidAt: noon('03-25'), transactionId },
      ...{ atDesk: true, losses: [{ title: 'Lalka', as: 'damaged' }], due: 0, toReturn: [] },
    },
    {
      ...{ kind: 'fee-paid', titles, amount: 300, paidAt: noon('03-25'), transactionId, atDesk: true },
      ...{ due: 0, toReturn: [] },
    },
  ],
  'rent-cancelled': [
    { kind: 'rent-cancelled', titles, cancelledAt: noon('03-02'), corrects: '' },
    { kind: 'rent-cancelled', titles, cancelledAt: noon('03-02'), hold: 'set-back', corrects: '' },
    { kind: 'rent-cancelled', titles, cancelledAt: noon('03-02'), hold: 'cancelled', corrects: '' },
  ],
  'issue-undone': [
    { kind: 'issue-undone', titles, collectBy: noon('03-07'), undoneAt: noon('03-05'), corrects: '' },
    { kind: 'issue-undone', titles, collectBy: null, undoneAt: noon('03-05'), corrects: '' },
  ],
  'payment-undone': [
    {
      ...{ kind: 'payment-undone', titles, amount: 300, transactionId, undoneAt: noon('03-25') },
      ...{ due: 300, corrects: '' },
    },
  ],
  'loss-charged': [
    {
      ...{ kind: 'loss-charged', titles: ['Lalka'], as: 'lost', reportedAt: noon('03-25') },
      ...{ price: 3990, amount: 4990, due: 4990 },
    },
    {
      ...{ kind: 'loss-charged', titles: ['Lalka'], as: 'damaged', reportedAt: noon('03-25') },
      ...{ price: null, amount: 5000, due: 5000 },
    },
  ],
  'loss-found': [
    ...[0, 4990].map((refund) => ({
      ...{ kind: 'loss-found' as const, titles: ['Lalka'], foundAt: noon('03-29'), amount: 4990 },
      ...{ due: 0, refund },
    })),
  ],
  'loss-undone': [
    {
      ...{ kind: 'loss-undone', titles: ['Lalka'], amount: 4990, undoneAt: noon('03-25') },
      ...{ dueDate: noon('03-28'), corrects: '' },
    },
  ],
  'refund-paid': [
    { kind: 'refund-paid', titles: ['Lalka'], amount: 4990, paidAt: noon('03-30'), transactionId },
  ],
  'finding-undone': [
    {
      ...{ kind: 'finding-undone', titles: ['Lalka'], amount: 4990, undoneAt: noon('03-29') },
      ...{ due: 4990, corrects: '' },
    },
  ],
  'refund-undone': [
    {
      ...{ kind: 'refund-undone', titles: ['Lalka'], amount: 4990, transactionId, undoneAt: noon('03-30') },
      ...{ refund: 4990, corrects: '' },
    },
  ],
  'hold-cancelled': [{ kind: 'hold-cancelled', titles: ['Solaris'], cancelledAt: noon('03-02') }],
  'hold-not-needed': [{ kind: 'hold-not-needed', titles: ['Solaris'], neededUntil: noon('03-07') }],
};

/** A visit on which everything was done that a letter can tell of. */
const VISIT: VisitLetter = {
  at: noon('03-25'),
  parts: [
    ...MADE_UP['books-issued'].slice(0, 1),
    { kind: 'books-returned' as const, titles },
    { kind: 'borrow-renewed' as const, titles, dueDate: noon('04-11'), renewalsLeft: 1 },
    { kind: 'fee-waived' as const, titles, amount: 200, due: 100 },
    { kind: 'waiver-undone' as const, titles, amount: 200, due: 300, undoneAt: noon('03-25') },
    { kind: 'return-undone' as const, titles, dueDate: noon('03-28'), undoneAt: noon('03-25') },
  ].map((part) => ({ part })),
  waiting: [{ titles: ['Solaris'], collectBy: noon('03-28') }],
  owes: 300,
};

const account = { accountId: '00000000-0000-4000-8000-000000000000', cause: '' };
const part = { ...account, part: 'worker', since: noon('03-25') } as const;

const CHANGES: JobData<'mail', 'second-factor-changed'>['change'][] = [
  'code-app-added',
  'code-app-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'reset',
];

const NOTICED: { [Name in NoticeName]: readonly JobData<'mail', Name>[] } = {
  'password-changed': [false, true].map((elsewhere) => ({
    ...account,
    changedAt: noon('03-25'),
    elsewhere,
  })),
  'second-factor-changed': CHANGES.map((change) => ({ ...account, change, at: noon('03-25') })),
  'guessed-at': (['password', 'code'] as const).map((secret) => ({ ...account, at: noon('03-25'), secret })),
  'part-not-well': [{ ...part, reason: 'away', facts: {} }],
  'part-well-again': [{ ...part, until: noon('03-25') }],
};

const aboutBorrow = (kind: LetterKind, name: () => string): Letter => ({
  name,
  isOptional: true,
  madeUp: MADE_UP[kind].map((letter) => (to) => borrowLetter(letter, to)),
});
const withLink = (purpose: LinkName, name: () => string): Letter => ({
  name,
  isOptional: false,
  madeUp: [(to) => LINK_LETTERS[purpose].letter({ ...to, link: `${to.site}/#/login` })],
});
const notice = <Name extends NoticeName>(notices: Name, name: () => string): Letter => ({
  name,
  isOptional: false,
  madeUp: NOTICED[notices].map((data) => (to) => NOTICES[notices].letter(data, to)),
});

/** All letters, in the order in which they are shown. */
export const LETTERS: Readonly<Record<LetterName, Letter>> = {
  'books-rented': aboutBorrow('books-rented', m.own_words_books_rented),
  'books-issued': aboutBorrow('books-issued', m.own_words_books_issued),
  'due-soon': aboutBorrow('due-soon', m.own_words_due_soon),
  'borrow-expired': aboutBorrow('borrow-expired', m.own_words_borrow_expired),
  visit: { name: m.own_words_visit, isOptional: true, madeUp: [(to) => visitLetter(VISIT, to)] },
  'fee-charged': aboutBorrow('fee-charged', m.own_words_fee_charged),
  'fee-paid': aboutBorrow('fee-paid', m.own_words_fee_paid),
  'loss-charged': aboutBorrow('loss-charged', m.own_words_loss_charged),
  'loss-found': aboutBorrow('loss-found', m.own_words_loss_found),
  'refund-paid': aboutBorrow('refund-paid', m.own_words_refund_paid),
  'rent-cancelled': aboutBorrow('rent-cancelled', m.own_words_rent_cancelled),
  'hold-cancelled': aboutBorrow('hold-cancelled', m.own_words_hold_cancelled),
  'hold-not-needed': aboutBorrow('hold-not-needed', m.own_words_hold_not_needed),
  'issue-undone': aboutBorrow('issue-undone', m.own_words_issue_undone),
  'payment-undone': aboutBorrow('payment-undone', m.own_words_payment_undone),
  'loss-undone': aboutBorrow('loss-undone', m.own_words_loss_undone),
  'finding-undone': aboutBorrow('finding-undone', m.own_words_finding_undone),
  'refund-undone': aboutBorrow('refund-undone', m.own_words_refund_undone),
  'confirm-email': withLink('confirm-email', m.own_words_confirm_email),
  'reset-password': withLink('reset-password', m.own_words_reset_password),
  invitation: withLink('invitation', m.own_words_invitation),
  'password-changed': notice('password-changed', m.own_words_password_changed),
  'second-factor-changed': notice('second-factor-changed', m.own_words_second_factor_changed),
  'guessed-at': notice('guessed-at', m.own_words_guessed_at),
  'part-not-well': notice('part-not-well', m.own_words_part_not_well),
  'part-well-again': notice('part-well-again', m.own_words_part_well_again),
};

/** What stands above and below all else on what is printed: on a slip several lines in Markdown, on a report one. */
export const PAPERS = {
  slip: { name: m.own_words_slip, head: m.paper_slip_head, foot: m.paper_slip_foot, isLong: true },
  report: { name: m.own_words_report, head: m.paper_report_head, foot: m.paper_report_foot, isLong: false },
} as const;
export type PaperName = keyof typeof PAPERS;

export const isLetter = (name: string): name is LetterName => Object.hasOwn(LETTERS, name);
export const isPaper = (name: string): name is PaperName => Object.hasOwn(PAPERS, name);
export const isLetterOfBorrow = (name: string): name is LetterKind =>
  LETTER_KINDS.some((kind) => kind === name);
