import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
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
    ...{ code, title: code, status: PROBLEMS[code], detail },
    ...(errors && { errors }),
  });

const command: FailedCall = { call: 'command', signedIn: true };
const query: FailedCall = { call: 'query', signedIn: true };
const guest: FailedCall = { call: 'command', signedIn: false };
const NOTHING = { kind: 'nothing' };
const SESSION_OVER = { kind: 'sessionOver' };
const toast = (message: string, title?: string) => ({ kind: 'toast', message, ...(title && { title }) });
const HAPPENED = toast('What happened.');
const ERRORS = { email: ['Bad.'] };
const withoutProblem = (status: number, ...of: [title: string, text?: string]) =>
  new RequestError(status, of[0], null, of[1]);

describe('what the page does about a failed call', () => {
  // spec 8.1, 8.2, 8.3, 8.4, 8.5
  it.each<[string, unknown, FailedCall, object]>([
    ['a 400 with errors: the form says it', refused('ValidationFailed', 'No.', ERRORS), command, NOTHING],
    ['another 400', refused('LinkInvalid'), command, toast('What happened.', '400 Status Text')],
    ['a 403', refused('NotAllowed'), query, toast('What happened.', '403 Status Text')],
    [
      'a 400 with a text',
      withoutProblem(400, 'Bad', 'No such thing.'),
      command,
      toast('No such thing.', '400'),
    ],
    ['a bare 400', withoutProblem(400, 'Bad Request'), command, toast('Bad Request', '400 Bad Request')],
    ['a 401', refused('SessionEnded'), query, SESSION_OVER],
    ['a 401 in its place', refused('SessionEnded'), { ...command, inPlace: true }, SESSION_OVER],
    ['a 401 of a guest', refused('WrongCredentials'), { ...guest, inPlace: true }, NOTHING],
    ['what was asked for and is not there', refused('BookNotFound'), query, { kind: 'notFound' }],
    ['what was to be done and is not there', refused('BookNotFound'), command, HAPPENED],
    ['a failure in the background', refused('Unexpected'), { ...query, background: true }, NOTHING],
    ['copies that are gone', refused('CopiesUnavailable'), command, HAPPENED],
    ['a change that came first', refused('ConcurrentChange'), command, HAPPENED],
    ['too many attempts', refused('TooManyAttempts'), command, HAPPENED],
    ['an answer without words', withoutProblem(418, ''), command, toast(UNEXPECTED)],
    ['no answer at all', withoutProblem(0, ''), command, toast(UNREACHABLE)],
    ['a defect of the page', new TypeError('x'), command, toast(UNEXPECTED)],
    ['a list, which says it in its own place', refused('DatabaseUnavailable'), query, NOTHING],
  ])('of %s', (_what, error, call, reaction) => expect(reactionTo(error, call)).toEqual(reaction));

  // spec 8.4
  it('goes to the server-error page with what the server said', () => {
    const problem = { detail: 'What happened.' };
    expect(reactionTo(refused('Unexpected'), query)).toMatchObject({ kind: 'serverError', problem });
  });
});
