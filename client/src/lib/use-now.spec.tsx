import { act, renderHook } from '@testing-library/react';
import { jest } from '@jest/globals';
import { useQuarterHour } from './use-now.js';

describe('the quarter of an hour', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-01T22:58:30Z') }));
  afterEach(() => jest.useRealTimers());

  it('is the next one when it has begun, and nothing is drawn before', () => {
    let drawn = 0;
    const { result } = renderHook(() => {
      drawn += 1;
      return useQuarterHour();
    });
    expect(result.current).toBe(Date.parse('2026-03-01T22:45:00Z'));
    const first = drawn;

    act(() => jest.advanceTimersByTime(80_000));
    expect(drawn).toBe(first);

    act(() => jest.advanceTimersByTime(10_000));
    expect(result.current).toBe(Date.parse('2026-03-01T23:00:00Z'));
  });
});
