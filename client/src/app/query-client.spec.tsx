import { jest } from '@jest/globals';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { ErrorState } from '../components/list/error-state.js';
import { RequestError } from '../lib/api/request-error.js';
import { createAppQueryClient } from './query-client.js';

const AWAY = 'The library did not answer in time. Please try again in a moment.';
const away = (took: number) =>
  new RequestError(
    503,
    'Service Unavailable',
    { code: 'AnswerTookTooLong', title: 'Answer Took Too Long', status: 503, detail: AWAY },
    '',
    took,
  );

describe('a list while the library is away', () => {
  let asked: number;
  let answer: () => Promise<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    asked = 0;
  });
  afterEach(() => jest.useRealTimers());

  function List() {
    const list = useQuery({
      queryKey: ['list'],
      queryFn: () => {
        asked += 1;
        return answer();
      },
    });
    if (list.error) return <ErrorState error={list.error} onRetry={() => undefined} retrying={false} />;
    return <p>{list.data ?? 'Loading'}</p>;
  }
  const shown = () =>
    render(
      <QueryClientProvider client={createAppQueryClient()}>
        <List />
      </QueryClientProvider>,
    );
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  it('says so at once when that was waited for, and comes back by itself', async () => {
    answer = () => Promise.reject(away(8_000));
    shown();
    await pass(10);
    expect(screen.getByText(AWAY)).toBeTruthy();
    expect(asked).toBe(1);
    answer = async () => 'Solaris';
    await pass(5_000);
    expect(screen.getByText('Solaris')).toBeTruthy();
    await pass(60_000);
    expect(asked).toBe(2);
  });

  it('is asked for twice more before it says so when it was refused in a moment', async () => {
    answer = () => Promise.reject(away(20));
    shown();
    await pass(10);
    expect(screen.queryByText(AWAY)).toBeNull();
    await pass(2_000);
    expect(screen.getByText(AWAY)).toBeTruthy();
    expect(asked).toBe(3);
  });
});
