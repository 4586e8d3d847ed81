import { act, screen } from '@testing-library/react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { openDialog } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { type Answers, problem, serverOf } from '../../../test-support/server.js';
import { ID, OTHER_ID, borrowView } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { FeeButton } from './fee-button.js';

const charge = {
  dueDate: '2026-03-01T10:00:00Z',
  reason: 'late',
  books: 1,
  policyVersion: 2,
  calendar: { timeZone: 'Europe/Warsaw', dueDay: '2026-03-01', chargedDay: '2026-03-04' },
  rate: 0.5,
  cap: 50,
  capped: false,
  addsUp: true,
};
const fee: FeeExplanation = {
  borrowId: OTHER_ID,
  readerId: ID,
  charges: [
    {
      ...charge,
      revision: 2,
      chargedAt: '2026-03-01T12:00:00Z',
      daysLate: 1,
      computed: 0.5,
      total: 0.5,
      amount: 0.5,
      sentence: 'One day late.',
    },
    {
      ...charge,
      revision: 4,
      chargedAt: '2026-03-03T12:00:00Z',
      daysLate: 3,
      computed: 1.5,
      total: 1.5,
      amount: 1,
      sentence: 'Three days late.',
    },
  ],
  payments: [
    {
      revision: 3,
      paidAt: '2026-03-01T13:00:00Z',
      amount: 0.5,
      provider: 'sandbox',
      sentence: 'You paid 0.50 PLN.',
    },
  ],
  waivers: [],
  losses: [],
  takenBack: [],
  refunds: [],
  refund: 0,
  corrections: [],
  waived: 0,
  charged: 1.5,
  paid: 0.5,
  due: 1,
  sentences: [],
};
const lent = { state: 'lent' as const, issueDate: '2026-02-15T10:00:00Z', returnDate: null };
const borrow = borrowView({
  id: OTHER_ID,
  fineAmount: 1.5,
  dueDate: '2026-03-01T10:00:00Z',
  books: [
    { ...lent, bookId: 1, title: 'Dune' },
    { ...lent, bookId: 2, title: 'Solaris', state: 'returned', returnDate: '2026-03-01T12:00:00Z' },
  ],
});

describe('a fee', () => {
  afterEach(() => act(() => session.end()));

  async function opened(answers: Answers, asOf?: number) {
    session.begin(userOf());
    const server = serverOf(answers);
    const asker = asOf === undefined ? 'owner' : 'auditor';
    const element = <FeeButton asker={asker} borrow={borrow} {...(asOf !== undefined && { asOf })} />;
    const { person, press } = show([{ path: '/', element }], '/');
    await press('1.50 PLN: how this fee came about, “Dune” (late fee)');
    return { server, person, dialog: await openDialog() };
  }

  it('explains itself to its reader, in the order in which it happened, and adds up', async () => {
    const { server, dialog } = await opened({ 'GET Borrow/fee': [200, fee] });
    const steps = await dialog.findAllByRole('listitem');
    expect(server.asked('GET Borrow/fee')[0]?.query).toEqual({ borrowId: OTHER_ID });
    expect(steps.map((step) => step.querySelector('p')?.textContent)).toEqual([
      'One day late.',
      'You paid 0.50 PLN.',
      'Three days late.',
    ]);
    expect(dialog.getByText('Still to pay').nextElementSibling?.textContent).toBe('1.00 PLN');
    expect(dialog.queryByText('After the moment shown')).toBeNull();
  });

  it('names what it is for: late books without those that came back in time, and the one book that is damaged', async () => {
    session.begin(userOf());
    serverOf({ 'GET Borrow/fee': [200, fee] });
    const [late, other] = borrow.books;
    const damaged = { ...other, state: 'damaged', charged: 45 };
    const both = { ...borrow, fineAmount: 46.5, lossAmount: 45, books: [late, damaged] } as BorrowView;
    const gone = { ...both, fineAmount: 45, lossAmount: 45 };
    const { person, press } = show(
      [
        {
          path: '/',
          element: [both, gone].map((each, n) => <FeeButton key={n} asker="owner" borrow={each} />),
        },
      ],
      '/',
    );
    const name = (words: string) => ({ name: `${words}: how this fee came about, “Solaris” (damaged book)` });
    await person.click(screen.getByRole('button', name('45.00 PLN')));
    expect((await screen.findByRole('dialog')).textContent).toMatch(
      /^How this fee came aboutDamaged book: Solaris/,
    );
    await person.keyboard('{Escape}');
    await press(/“Dune” \(late fee\); “Solaris” \(damaged book\)$/);
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Late fee: DuneDamaged book: Solaris');
  });

  it('tells an auditor apart what came after the instant that they look at', async () => {
    const { dialog } = await opened({ [`GET Audit/borrows/${OTHER_ID}/fee`]: [200, fee] }, 3);
    const steps = await dialog.findAllByRole('listitem');
    expect(steps.map((step) => step.textContent?.includes('After the moment shown'))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('says where a recorded sum is not what the rules make of it', async () => {
    const [first] = fee.charges;
    if (!first) throw new Error('There is a charge.');
    const { dialog } = await opened({
      'GET Borrow/fee': [200, { ...fee, charges: [{ ...first, addsUp: false }] }],
    });
    expect(await dialog.findByText('This does not add up.')).toBeTruthy();
  });

  it('can be asked about again where no answer came', async () => {
    const { server, press, dialog } = await opened({
      'GET Borrow/fee': problem(503, 'DatabaseUnavailable', 'The library is busy.'),
    });
    expect(await dialog.findByText('The library is busy.')).toBeTruthy();
    server.answers['GET Borrow/fee'] = [200, fee];
    await press('Retry', dialog);
    expect(await dialog.findByText('One day late.')).toBeTruthy();
  });

  it('is no button where there is none', () => {
    session.begin(userOf());
    serverOf({});
    show([{ path: '/', element: <FeeButton asker="owner" borrow={{ ...borrow, fineAmount: 0 }} /> }], '/');
    expect(screen.getByText('No fee')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
