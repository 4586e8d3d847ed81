import { jest } from '@jest/globals';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { ErrorState } from '../components/list/placeholders.js';
import { RequestError, UNEXPECTED, UNREACHABLE } from '../lib/api/request-error.js';
import { createAppQueryClient, reactionTo, type FailedCall } from './query-client.js';
import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';

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
    if (list.error) return <ErrorState of={list} />;
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

const refused = (code: ProblemCode, detail = 'What happened.', errors?: Record<string, string[]>) =>
  new RequestError(PROBLEMS[code], 'Status Text', {
    code,
    title: code,
    status: PROBLEMS[code],
    detail,
    ...(errors && { errors }),
  });

const command: FailedCall = { call: 'command', signedIn: true };
const query: FailedCall = { call: 'query', signedIn: true };

describe('what the page does about a failed call', () => {
  // spec 8.1
  it('leaves a 400 with errors to the form', () => {
    expect(reactionTo(refused('ValidationFailed', 'No.', { email: ['Bad.'] }), command)).toEqual({
      kind: 'nothing',
    });
  });

  // spec 8.1
  it('shows other 400 and 403 with their status', () => {
    expect(reactionTo(refused('LinkInvalid'), command)).toEqual({
      kind: 'toast',
      message: 'What happened.',
      title: '400 Status Text',
    });
    expect(reactionTo(refused('NotAllowed'), query)).toMatchObject({
      kind: 'toast',
      title: '403 Status Text',
    });
  });

  it('shows the words of a 400 that has a text in place of a problem', () => {
    expect(reactionTo(new RequestError(400, 'Bad Request', null, 'No such thing.'), command)).toEqual({
      kind: 'toast',
      message: 'No such thing.',
      title: '400',
    });
    expect(reactionTo(new RequestError(400, 'Bad Request', null), command)).toEqual({
      kind: 'toast',
      message: 'Bad Request',
      title: '400 Bad Request',
    });
  });

  // spec 8.2
  it('takes a 401 for the end of the session, but only where there is one', () => {
    expect(reactionTo(refused('SessionEnded'), query)).toEqual({ kind: 'sessionOver' });
    expect(reactionTo(refused('SessionEnded'), { ...command, inPlace: true })).toEqual({
      kind: 'sessionOver',
    });
    expect(reactionTo(refused('WrongCredentials'), { ...command, signedIn: false, inPlace: true })).toEqual({
      kind: 'nothing',
    });
  });

  // spec 8.3
  it('goes to the not-found page for what was asked for, and stays for what was to be done', () => {
    expect(reactionTo(refused('BookNotFound'), query)).toEqual({ kind: 'notFound' });
    expect(reactionTo(refused('BookNotFound'), command)).toEqual({
      kind: 'toast',
      message: 'What happened.',
    });
  });

  // spec 8.4
  it('goes to the server-error page with what the server said', () => {
    expect(reactionTo(refused('Unexpected'), query)).toMatchObject({
      kind: 'serverError',
      problem: { detail: 'What happened.' },
    });
    expect(reactionTo(refused('Unexpected'), { ...query, background: true })).toEqual({ kind: 'nothing' });
  });

  it.each(['CopiesUnavailable', 'ConcurrentChange', 'TooManyAttempts'] as const)(
    'shows the specific words of %s',
    (code) => {
      expect(reactionTo(refused(code), command)).toEqual({ kind: 'toast', message: 'What happened.' });
    },
  );

  // spec 8.5
  it('has a sentence where there are no words, and one for no answer at all', () => {
    expect(reactionTo(new RequestError(418, '', null), command)).toEqual({
      kind: 'toast',
      message: UNEXPECTED,
    });
    expect(reactionTo(new RequestError(0, '', null), command)).toEqual({
      kind: 'toast',
      message: UNREACHABLE,
    });
    expect(reactionTo(new TypeError('x'), command)).toEqual({ kind: 'toast', message: UNEXPECTED });
  });

  it('leaves a list that failed to its own place, where Retry is', () => {
    expect(reactionTo(refused('DatabaseUnavailable'), query)).toEqual({ kind: 'nothing' });
  });
});
