import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { textsOf, screen, within } from '../../../test-support/on-screen.js';
import { asAdmin, showPage } from '../../../test-support/screen.js';
import { ID } from '../../../test-support/views.js';
import type { DeskLine } from './desk-lines.js';
import { ResultLine, RunningList } from './scan-results.js';

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
