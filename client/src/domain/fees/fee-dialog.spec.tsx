import { screen } from '@testing-library/react';
import type { FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { openDialog } from '../../../test-support/on-screen.js';
import { asReader, showPage } from '../../../test-support/screen.js';
import { answered, type Answers } from '../../../test-support/server.js';
import { ID, OTHER_ID, bookOf, borrowView } from '../../../test-support/views.js';
import { FeeButton } from './fee-button.js';

const charge = {
  ...{ dueDate: '2026-03-01T10:00:00Z', reason: 'late', books: 1, policyVersion: 2 },
  calendar: { timeZone: 'Europe/Warsaw', dueDay: '2026-03-01', chargedDay: '2026-03-04' },
  ...{ rate: 0.5, cap: 50, capped: false, addsUp: true },
};
const FIRST = {
  ...{ ...charge, revision: 2, chargedAt: '2026-03-01T12:00:00Z', daysLate: 1 },
  ...{ computed: 0.5, total: 0.5, amount: 0.5, sentence: 'One day late.' },
};
const SECOND = {
  ...{ ...charge, revision: 4, chargedAt: '2026-03-03T12:00:00Z', daysLate: 3 },
  ...{ computed: 1.5, total: 1.5, amount: 1, sentence: 'Three days late.' },
};
const PAYMENT = {
  ...{ revision: 3, paidAt: '2026-03-01T13:00:00Z', amount: 0.5, provider: 'sandbox' },
  sentence: 'You paid 0.50 PLN.',
};
const fee: FeeExplanation = {
  ...{ borrowId: OTHER_ID, readerId: ID, charges: [FIRST, SECOND], payments: [PAYMENT] },
  ...{ waivers: [], losses: [], takenBack: [], refunds: [], corrections: [], sentences: [] },
  ...{ refund: 0, waived: 0, charged: 1.5, paid: 0.5, due: 1 },
};
const FEE = 'GET Borrow/fee';
const late = bookOf(1, 'Dune', 'lent');
const solaris = { ...bookOf(2, 'Solaris', 'returned'), returnDate: '2026-03-01T12:00:00Z' };
const borrow = borrowView({ fineAmount: 1.5, dueDate: '2026-03-01T10:00:00Z', books: [late, solaris] });

describe('a fee', () => {
  asReader();

  async function opened(answers: Answers, asOf?: number) {
    const asker = asOf === undefined ? 'owner' : 'auditor';
    const button = <FeeButton asker={asker} borrow={borrow} {...(asOf !== undefined && { asOf })} />;
    const page = showPage(button, '/', answers);
    await page.press('1.50 PLN: how this fee came about, “Dune” (late fee)');
    return { ...page, dialog: await openDialog() };
  }

  it('explains itself to its reader, in the order in which it happened, and adds up', async () => {
    const { server, dialog } = await opened({ [FEE]: answered(fee) });
    const steps = await dialog.findAllByRole('listitem');
    expect(server.asked(FEE)[0]?.query).toEqual({ borrowId: OTHER_ID });
    expect(steps.map((step) => step.querySelector('p')?.textContent)).toEqual([
      'One day late.',
      'You paid 0.50 PLN.',
      'Three days late.',
    ]);
    expect(dialog.getByText('Still to pay').nextElementSibling?.textContent).toBe('1.00 PLN');
    expect(dialog.queryByText('After the moment shown')).toBeNull();
  });

  it('names what it is for: late books without those that came back in time, and the one book that is damaged', async () => {
    const damaged = { ...bookOf(2, 'Solaris', 'damaged'), charged: 45 };
    const both = { ...borrow, fineAmount: 46.5, lossAmount: 45, books: [late, damaged] };
    const gone = { ...both, fineAmount: 45, lossAmount: 45 };
    const buttons = [both, gone].map((each, n) => <FeeButton key={n} asker="owner" borrow={each} />);
    const { person, press } = showPage(<>{buttons}</>, '/', { [FEE]: answered(fee) });
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
    const { dialog } = await opened({ [`GET Audit/borrows/${OTHER_ID}/fee`]: answered(fee) }, 3);
    const steps = await dialog.findAllByRole('listitem');
    expect(steps.map((step) => step.textContent?.includes('After the moment shown'))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('says where a recorded sum is not what the rules make of it', async () => {
    const { dialog } = await opened({
      [FEE]: answered({ ...fee, charges: [{ ...FIRST, addsUp: false }] }),
    });
    expect(await dialog.findByText('This does not add up.')).toBeTruthy();
  });

  it('is no button where there is none', () => {
    showPage(<FeeButton asker="owner" borrow={{ ...borrow, fineAmount: 0 }} />, '/');
    expect(screen.getByText('No fee')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
