import { jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { SearchBox } from './search-box.js';

describe('the search box', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function shown(value = '') {
    const onSearch = jest.fn();
    render(
      <SearchBox label="Search books" placeholder="Words" value={value} onSearch={onSearch} delay={1000} />,
    );
    return { onSearch, input: screen.getByRole('searchbox', { name: 'Search books' }) };
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
});
