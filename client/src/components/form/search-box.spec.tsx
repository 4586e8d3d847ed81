import { jest } from '@jest/globals';
import { act, fireEvent, render } from '@testing-library/react';
import { screen } from '../../../test-support/on-screen.js';
import { SearchBox } from './search-box.js';

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
