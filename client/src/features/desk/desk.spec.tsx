import { jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openDialog, textsOf } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { ownCard, readerOf, ID } from '../../../test-support/views.js';
import { RegisterReader } from './register-reader.js';
import type { DeskLine } from './desk-lines.js';
import { ResultLine, RunningList } from './scan-results.js';

const REGISTER = 'POST User/register';

describe('registering a reader at the desk', () => {
  asAdmin();
  const registered = answered({ reader: readerOf(), card: ownCard().card });

  async function filledIn(answer: Answers[string]) {
    const onRegistered = jest.fn();
    const page = showPage(<RegisterReader onRegistered={onRegistered} onClose={jest.fn()} />, '/', {
      [REGISTER]: answer,
    });
    const dialog = await openDialog();
    for (const [label, value] of [
      ['First name', 'Anna'],
      ['Last name', 'Nowak'],
      ['Date of birth', '2015-03-08'],
      ['Email', 'anna@example.org'],
      ['Phone', '+48 601 234 567'],
      ['Address', 'ul. Piękna 12'],
      ['City', 'Kraków'],
      ['Postal code', '30-001'],
    ] as const)
      await pasteInto(page.person, dialog.getByLabelText(label), value);
    await page.person.selectOptions(dialog.getByLabelText('Gender'), 'Female');
    return { ...page, dialog, onRegistered, register: () => page.press('Register', dialog) };
  }

  it('asks for the guardian of a child, and shows the card when it is done', async () => {
    const { server, person, dialog, register, onRegistered } = await filledIn(registered);
    expect(dialog.queryByLabelText('Guardian')).toBeNull();
    await person.selectOptions(dialog.getByLabelText('Kind of reader'), 'Child');
    await register();
    await dialog.findByText('Somebody answers for a child: please name them.');
    await pasteInto(person, dialog.getByLabelText('Guardian'), 'Ewa Nowak');
    await register();
    await openDialog('Anna Nowak is registered');
    expect(screen.getByRole('button', { name: 'Print on a card' })).toBeTruthy();
    expect(onRegistered).toHaveBeenCalledTimes(1);
    expect(server.asked(REGISTER)[0]?.body).toMatchObject({
      ...{ firstname: 'Anna', kind: 'child', guardian: 'Ewa Nowak', memberUntil: null, evenIfAlike: false },
    });
  });

  it('says at its field what is taken, and warns of a namesake born on the same day, who may be registered', async () => {
    const words = 'Anna Nowak, born on 2015-03-08, is registered already: username anna.';
    const { server, press, dialog, register } = await filledIn(
      refused('EmailTaken', 'This address is taken.'),
    );
    await register();
    await dialog.findByText('This address is taken.');
    expect(dialog.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
    server.answers[REGISTER] = refused('ReaderExists', words);
    await register();
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toContain(words));
    server.answers[REGISTER] = registered;
    await press('Register anyway', dialog);
    await openDialog('Anna Nowak is registered');
    expect(server.asked(REGISTER).at(-1)?.body).toMatchObject({ evenIfAlike: true });
  });
});

const line = (key: string, changes: Partial<DeskLine> = {}): DeskLine => ({
  ...{ key, at: Date.now(), mode: 'hand-over', text: key, tone: 'good', headline: 'Lent', details: [] },
  ...changes,
});
const person = { id: ID, fullname: 'Anna Nowak' };

function show(...lines: DeskLine[]) {
  const onPay = jest.fn();
  const element = (
    <>
      <ResultLine line={lines[0]} mode="hand-over" waiting={0} isAway={false} onPay={onPay} />
      <RunningList lines={lines} pending={[]} onPay={onPay} />
    </>
  );
  showPage(element, '/');
  const rows = () => within(screen.getByRole('region', { name: 'Scanned here' })).getAllByRole('listitem');
  return { onPay, rows, result: screen.getByRole('region', { name: 'Result' }) };
}

asAdmin();

describe('what became of the scans', () => {
  it.each([
    ['good', 'fine', 'Fine'],
    ['heed', 'look', 'Look'],
    ['kept', 'look', 'Look'],
    ['refused', 'stop', 'Stop'],
  ] as const)('says %s in the large panel by a word too', (tone, state, word) => {
    const { result } = show(line('1', { tone }));
    expect(result.dataset['state']).toBe(state);
    expect(within(result).getByText(word)).toBeTruthy();
  });

  it('has the actions for a reader beside what is said of them, the first of them as the one to do', async () => {
    const { result, onPay } = show(
      line('1', {
        ...{ tone: 'refused', headline: '5.00 PLN to pay', person },
        offers: [
          { do: 'pay', amount: 5 },
          { do: 'pay-out', amount: 3 },
        ],
      }),
    );
    await userEvent.click(within(result).getByRole('button', { name: 'Take payment: 5.00 PLN' }));
    await userEvent.click(within(result).getByRole('button', { name: 'Pay out 3.00 PLN' }));
    expect(onPay.mock.calls.map(([, kind]: unknown[]) => kind)).toEqual([undefined, 'refund']);
  });

  it('keeps the reason of each refusal, and shows by an icon what has no cover', () => {
    const { rows } = show(
      line('3'),
      line('2', { tone: 'refused', headline: 'Not lent', details: ['It is for the reading room only.'] }),
      line('1', { tone: 'refused', headline: 'No such book', details: ['There is no such label.'] }),
    );
    expect(textsOf(rows())).toEqual([
      expect.any(String),
      expect.stringContaining('It is for the reading room only.'),
      expect.stringContaining('There is no such label.'),
    ]);
    for (const row of rows()) expect(row.querySelector('svg')).toBeTruthy();
  });

  it('ends somewhere, and shows what was earlier', async () => {
    const { rows } = show(...Array.from({ length: 30 }, (_, at) => line(String(at))));
    expect(rows()).toHaveLength(12);
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier (18)' }));
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier (6)' }));
    expect(rows()).toHaveLength(30);
    expect(screen.queryByRole('button', { name: /Show earlier/ })).toBeNull();
  });
});
