import type { Response } from 'express';
import { PROBLEMS, type Problem, type ProblemCode } from '#contracts/problem.js';

/** `Retry-After` in seconds while a part of the installation is unavailable. */
const RETRY_AFTER_SECONDS = 2;

/** A refusal as a body of problem+json. */
export function problem(code: ProblemCode, detail: string, correlationId: string): Problem {
  return {
    code,
    title: code.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    status: PROBLEMS[code],
    detail,
    correlationId,
  };
}

/** Nobody knows what became of a call: one that changes something may have done so, or may do so yet. */
export function answerTookTooLong(method: string, correlationId: string): Problem {
  const detail = isSafe(method)
    ? 'The library did not answer in time. Please try again in a moment.'
    : NOT_KNOWN;
  return problem('AnswerTookTooLong', detail, correlationId);
}

/** Whether a call with this method changes nothing. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export const NOT_KNOWN =
  'The library did not answer in time, so it may or may not have been done. Please check again in a moment.';

export function sendProblem(response: Response, body: Problem): void {
  if (body.status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}
