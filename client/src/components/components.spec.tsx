import { jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import type { MessagePart } from '#words/messages.js';
import { textsOf } from '../../test-support/on-screen.js';
import { Field } from './form/field.js';
import { Picker } from './form/picker.js';
import type { PickerOption } from './form/picker-options.js';
import { SearchBox } from './form/search-box.js';
import { Marked } from './display/marked.js';

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

describe('the search box', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function shown(value = '') {
    const onSearch = jest.fn();
    const box = (searched: string) => (
      <SearchBox label="Search books" placeholder="Words" value={searched} onSearch={onSearch} delay={1000} />
    );
    const { rerender } = render(box(value));
    return {
      onSearch,
      input: screen.getByRole('searchbox', { name: 'Search books' }),
      arrive: (searched: string) => rerender(box(searched)),
    };
  }

  // spec 4.7, 9.4
  it('waits for a pause in typing', () => {
    const { onSearch, input } = shown();
    fireEvent.change(input, { target: { value: 'du' } });
    act(() => jest.advanceTimersByTime(900));
    fireEvent.change(input, { target: { value: 'dune' } });
    act(() => jest.advanceTimersByTime(999));
    expect(onSearch).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1));
    expect(onSearch.mock.calls).toEqual([['dune']]);
  });

  it('searches at once on Enter, and once', () => {
    const { onSearch, input } = shown();
    fireEvent.change(input, { target: { value: ' dune ' } });
    fireEvent.submit(input);
    act(() => jest.advanceTimersByTime(2000));
    expect(onSearch.mock.calls).toEqual([['dune']]);
  });

  // spec 4.7
  it('asks for nothing when the text is as before', () => {
    const { onSearch, input } = shown('dune');
    fireEvent.change(input, { target: { value: 'dun' } });
    fireEvent.change(input, { target: { value: 'dune' } });
    act(() => jest.advanceTimersByTime(2000));
    expect(onSearch).not.toHaveBeenCalled();
  });

  it('lets who goes on typing while a search is on its way do so, and searches for the rest', () => {
    const { onSearch, input, arrive } = shown();
    fireEvent.change(input, { target: { value: 'du' } });
    act(() => jest.advanceTimersByTime(1000));
    fireEvent.change(input, { target: { value: 'dun' } });
    arrive('du');
    expect(input).toHaveProperty('value', 'dun');
    act(() => jest.advanceTimersByTime(1000));
    fireEvent.change(input, { target: { value: 'dune' } });
    fireEvent.submit(input);
    expect(onSearch.mock.calls).toEqual([['du'], ['dun'], ['dune']]);
    arrive('dun');
    expect(input).toHaveProperty('value', 'dune');
    arrive('dune');
    expect(input).toHaveProperty('value', 'dune');
  });

  it('takes back what is on its way, and searches for nothing twice', () => {
    const { onSearch, input, arrive } = shown('dune');
    fireEvent.change(input, { target: { value: 'dun' } });
    fireEvent.submit(input);
    fireEvent.submit(input);
    fireEvent.change(input, { target: { value: 'dune' } });
    fireEvent.submit(input);
    expect(onSearch.mock.calls).toEqual([['dun'], ['dune']]);
    arrive('dun');
    arrive('dune');
    expect(input).toHaveProperty('value', 'dune');
  });

  it('shows what another way led to, and searches no more for what was typed before', () => {
    const { onSearch, input, arrive } = shown();
    fireEvent.change(input, { target: { value: 'dune' } });
    fireEvent.submit(input);
    arrive('dune');
    fireEvent.change(input, { target: { value: 'dune m' } });
    arrive('');
    expect(input).toHaveProperty('value', '');
    arrive('dune');
    expect(input).toHaveProperty('value', 'dune');
    act(() => jest.advanceTimersByTime(2000));
    expect(onSearch.mock.calls).toEqual([['dune']]);
  });
});

const text = (value: string): MessagePart => ({ type: 'text', value });
const mark = (type: 'start' | 'end' | 'standalone', name: string): MessagePart => ({
  type: `markup-${type}`,
  name,
});

it('shows what is marked as it is told, with the words around it', () => {
  const { container } = render(
    <Marked
      parts={[
        text('Read '),
        mark('start', 'link'),
        text('the rules of '),
        text('Lectern'),
        mark('end', 'link'),
        text(','),
        mark('standalone', 'line'),
        mark('start', 'strong'),
        text('then'),
        mark('end', 'strong'),
        text(' write.'),
      ]}
      as={{
        link: (children) => <a href="/rules">{children}</a>,
        strong: (children) => <strong>{children}</strong>,
        line: () => <br />,
      }}
    />,
  );
  expect(container.innerHTML).toBe(
    'Read <a href="/rules">the rules of Lectern</a>,<br><strong>then</strong> write.',
  );
});
