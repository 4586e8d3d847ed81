import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';
import { reactionTo, type FailedCall } from './reaction.js';
import { RequestError, UNEXPECTED, UNREACHABLE } from './request-error.js';

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
