import { jest } from '@jest/globals';
import { fireEvent, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { textsOf, screen } from '../../../test-support/on-screen.js';
import { Field } from './field.js';
import { Picker } from './picker.js';
import type { PickerOption } from './picker-options.js';

const NAMES = ['Jane Austen', 'Emily Brontë', 'Stanisław Lem', 'Mary Shelley', 'Leo Tolstoy'];
const OPTIONS = NAMES.map((name, index) => ({ id: index + 1, name }));

type Props = { chosen?: PickerOption[]; single?: boolean; loading?: boolean; onRetry?: () => void };

function Shown({ single = false, loading = false, onRetry, ...given }: Props) {
  const [chosen, setChosen] = useState(given.chosen ?? []);
  return (
    <>
      <Field label="Authors">
        {(control) => (
          <Picker
            control={control}
            label="authors"
            placeholder="Search authors"
            options={loading ? undefined : OPTIONS}
            onChange={setChosen}
            {...{ onRetry, chosen, single }}
          />
        )}
      </Field>
      <output>{chosen.map(({ name }) => name).join(', ')}</output>
    </>
  );
}

const chosen = () => document.querySelector('output')?.textContent;
const input = () => screen.getByRole('combobox', { name: 'Authors' });
const offered = () => textsOf(screen.queryAllByRole('option'));

describe('the choice of several things', () => {
  it('is a combobox that is found by its label and says whether it is open', async () => {
    render(<Shown />);
    expect(input().getAttribute('aria-expanded')).toBe('false');
    expect(offered()).toEqual([]);
    await userEvent.click(input());
    expect(input().getAttribute('aria-expanded')).toBe('true');
    expect(offered()).toEqual(NAMES);
    expect(screen.getByRole('listbox').getAttribute('aria-multiselectable')).toBe('true');
    expect(screen.queryByText(/select all/i)).toBeNull();
  });

  // spec 9.8
  it('searches by words in any order, without case and accents', async () => {
    render(<Shown />);
    await userEvent.type(input(), 'bronte em');
    expect(offered()).toEqual(['Emily Brontë']);
    await userEvent.clear(input());
    await userEvent.type(input(), 'xyz');
    expect(screen.getByText('No authors found.')).toBeTruthy();
  });

  it('is used by the keyboard alone', async () => {
    render(<Shown />);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(chosen()).toBe('Emily Brontë');
    const active = input().getAttribute('aria-activedescendant');
    expect(document.getElementById(active ?? '')?.getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('lem{Enter}');
    expect(chosen()).toBe('Emily Brontë, Stanisław Lem');
    await userEvent.keyboard('{Backspace}');
    expect(chosen()).toBe('Emily Brontë');
    await userEvent.keyboard('{Escape}');
    expect(input().getAttribute('aria-expanded')).toBe('false');
    expect(document.activeElement).toBe(input());
  });

  // spec 9.8
  it('shows three of what is chosen, counts the others, and lists all of it first', async () => {
    render(<Shown chosen={[...OPTIONS].reverse()} />);
    expect(screen.getAllByRole('button', { name: /^Remove/ })).toHaveLength(3);
    expect(screen.getByText('+2 more')).toBeTruthy();
    await userEvent.click(input());
    expect(offered()).toEqual([...NAMES].reverse());
    await userEvent.click(screen.getByRole('option', { name: 'Jane Austen' }));
    expect(screen.getByText('+1 more')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove Leo Tolstoy' }));
    expect(screen.queryByText(/more/)).toBeNull();
    expect(document.activeElement).toBe(input());
  });

  it('closes when it is left', async () => {
    render(<Shown />);
    await userEvent.click(input());
    await userEvent.tab();
    expect(offered()).toEqual([]);
  });

  it('says while its options are on their way, and when they did not come', () => {
    const retry = jest.fn();
    const { rerender } = render(<Shown loading />);
    fireEvent.click(input());
    expect(screen.getByText('Loading the authors…')).toBeTruthy();
    rerender(<Shown loading onRetry={retry} />);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledTimes(1);
  });
});

describe('the choice of one thing', () => {
  // spec 9.8
  it('replaces what was chosen, and closes', async () => {
    render(<Shown single chosen={OPTIONS.slice(0, 1)} />);
    await userEvent.type(input(), 'lem{Enter}');
    expect(chosen()).toBe('Stanisław Lem');
    expect(offered()).toEqual([]);
    expect(input()).toHaveProperty('value', '');
  });
});
