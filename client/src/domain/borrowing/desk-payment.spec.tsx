import { jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { sees, openDialog } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, later, refused, type Answers } from '../../../test-support/server.js';
import { ID, OTHER_ID, borrowView } from '../../../test-support/views.js';
import { useListKeys } from '../../lib/use-list.js';
import { DeskPayment } from './desk-payment.js';

const FEE = 'GET Payment/desk';
const PAY = 'POST Payment/desk';
const due = (grosze: number, daysLate = 1) => answered({ due: grosze, refund: 0, daysLate });
const PAID = { borrowId: OTHER_ID, transactionId: ID, position: '101' };

const UNPAID = borrowView({
  borrowedBooks: [
    { bookId: 4, title: 'Dune' },
    { bookId: 5, title: 'Lalka' },
  ],
  ...{ rentDate: '2026-10-20T10:00:00Z', issueDate: '2026-10-21T10:00:00Z' },
  ...{ dueDate: '2026-11-04T10:00:00Z', status: 'Not_Paid', fineAmount: 0.5, fineDue: 0.5 },
  availableActions: ['pay'],
});
const PAID_MEANWHILE: BorrowView = { ...UNPAID, status: 'Paid', fineDue: 0, availableActions: ['return'] };

/** What a live message does to the row. */
const become = (borrow: BorrowView) => window.dispatchEvent(new CustomEvent('become', { detail: borrow }));

let turnTo: jest.Mock;

/** A list with a button, and the window over it. */
function Desk() {
  const listKeys = useListKeys({ page: 1, onPage: turnTo, search: { current: null } });
  const [borrow, setBorrow] = useState(UNPAID);
  const [paying, setPaying] = useState(false);
  useEffect(() => {
    const hear = (event: Event) => setBorrow((event as CustomEvent<BorrowView>).detail);
    window.addEventListener('become', hear);
    return () => window.removeEventListener('become', hear);
  }, []);
  return (
    <div {...listKeys} role="region" aria-label="Queue">
      <button type="button" onClick={() => setPaying(true)}>
        Take payment
      </button>
      <DeskPayment borrow={paying ? borrow : undefined} onClose={() => setPaying(false)} />
    </div>
  );
}

async function opened(answers: Answers = {}) {
  const page = showPage(<Desk />, '/', { [FEE]: due(50), [PAY]: answered(PAID), ...answers });
  const button = screen.getByRole('button', { name: 'Take payment' });
  await page.person.click(button);
  const dialog = await openDialog();
  const received = (sum: string) => dialog.findByRole('button', { name: `${sum} PLN received` });
  return { ...page, button, dialog, received };
}

describe('a fee that is paid at the desk', () => {
  asAdmin();
  beforeEach(() => {
    turnTo = jest.fn();
  });

  it('is named with reader, books, days and amount before it is confirmed, then recorded in grosze', async () => {
    const { server, person, button, dialog, received } = await opened({ [FEE]: due(150, 3) });
    const confirm = await received('1.50');
    for (const fact of ['Anna Nowak', 'Dune', 'Lalka', '2026-11-04', '3 days', '1.50 PLN'])
      expect(dialog.getByText(fact)).toBeTruthy();
    expect(server.asked(FEE).map(({ query }) => query)).toEqual([{ borrowId: OTHER_ID }]);
    expect(server.asked(PAY)).toEqual([]);
    await person.click(confirm);
    await sees('Fee paid: 1.50 PLN');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(PAY)).toMatchObject([{ query: { borrowId: OTHER_ID }, body: { amount: 150 } }]);
    expect(document.activeElement).toBe(button);
  });

  it('may be a part: the rest stays due, and what is no sum of it is refused at its field', async () => {
    const { server, person, press, dialog } = await opened({ [FEE]: due(1200, 3) });
    const field = await dialog.findByLabelText('Paid now, in PLN');
    for (const typed of ['0', '-5', '12.01', '5.005', '5,005', '1e1', 'five', ' ']) {
      await person.clear(field);
      await pasteInto(person, field, typed);
      await press('Money received', dialog);
      expect(await dialog.findByText(/^Between 0\.01 and 12\.00 PLN can be paid/)).toBeTruthy();
      expect(field.getAttribute('aria-invalid')).toBe('true');
    }
    expect(server.asked(PAY)).toEqual([]);
    await person.clear(field);
    await person.type(field, '5,00');
    expect(dialog.getByText('A part: 7.00 PLN will still be due.')).toBeTruthy();
    expect(dialog.getByRole('button', { name: '5.00 PLN received' })).toBeTruthy();
    await person.keyboard('{Enter}');
    await sees('Part of the fee paid: 5.00 PLN, 7.00 PLN still to pay');
    expect(server.asked(PAY)).toMatchObject([{ body: { amount: 500, due: 1200 } }]);
  });

  it('is sent once while it is under way, and the window stays until it is answered', async () => {
    const answer = later();
    const { server, person, received } = await opened({ [PAY]: answer.answer });
    const confirm = await received('0.50');
    await person.dblClick(confirm);
    await person.keyboard('{Escape}');
    expect(confirm.getAttribute('aria-busy')).toBe('true');
    // The row is brought up to date before the answer comes: that is no payment of somebody else.
    act(() => void become(PAID_MEANWHILE));
    expect(await received('0.50')).toBe(confirm);
    answer.come(200, PAID);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked(PAY)).toHaveLength(1);
  });

  it('shows the amount of now where the fee has grown, and records nothing before that is confirmed', async () => {
    const sentence = 'The fee is now 1.00 PLN. Nothing was recorded.';
    const { server, person, dialog, received } = await opened({ [PAY]: refused('FeeChanged', sentence) });
    const confirm = await received('0.50');
    server.answers[FEE] = due(100, 2);
    await person.click(confirm);
    expect((await dialog.findByRole('alert')).textContent).toBe(sentence);
    const again = await received('1.00');
    server.answers[PAY] = answered(PAID);
    await waitFor(() => expect(again.getAttribute('aria-busy')).toBeNull());
    await person.click(again);
    await sees('Fee paid: 1.00 PLN');
    const [first, second] = server.asked(PAY);
    expect(first?.body).toEqual({ amount: 50, due: 50 });
    expect(second?.body).toEqual({ amount: 100, due: 100 });
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('keeps its key where no clear answer came, also when the window was closed in between', async () => {
    const { server, person, press, button, dialog, received } = await opened({ [PAY]: null });
    await person.click(await received('0.50'));
    expect((await dialog.findByRole('alert')).textContent).toMatch(/cannot be reached/);
    await press('Cancel', dialog);
    await waitFor(() => expect(document.activeElement).toBe(button));
    server.answers[PAY] = answered(PAID);
    await person.click(button);
    const next = await openDialog();
    expect(next.queryByRole('alert')).toBeNull();
    await press('0.50 PLN received', next);
    await sees('Fee paid: 0.50 PLN');
    const keys = server.asked(PAY).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it('cannot be paid again where it was paid meanwhile: the librarian is told', async () => {
    const { server, person, dialog, received } = await opened();
    await received('0.50');
    act(() => void become(PAID_MEANWHILE));
    expect((await dialog.findByRole('status')).textContent).toMatch(/^This fee is paid/);
    expect(dialog.queryByRole('button', { name: /received/ })).toBeNull();
    const [, close] = dialog.getAllByRole('button', { name: 'Close' });
    await person.click(close as HTMLElement);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(PAY)).toEqual([]);
  });

  it('turns no page of the list behind it', async () => {
    const { person, press, button, dialog, received } = await opened();
    await received('0.50');
    await person.keyboard('{ArrowRight}');
    expect(turnTo).not.toHaveBeenCalled();
    await press('Cancel', dialog);
    await waitFor(() => expect(document.activeElement).toBe(button));
    await person.keyboard('{ArrowRight}');
    expect(turnTo.mock.calls).toEqual([[2]]);
  });

  it('can be asked about again where no answer came', async () => {
    const { server, press, dialog, received } = await opened({
      [FEE]: refused('EventStoreUnavailable', 'Busy.'),
    });
    expect(await dialog.findByText('Busy.')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: /received/ })).toBeNull();
    server.answers[FEE] = due(50);
    await press('Retry', dialog);
    expect(await received('0.50')).toBeTruthy();
  });
});
