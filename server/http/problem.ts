import type { Response } from 'express';
import { PROBLEMS, type Problem, type ProblemCode } from '#contracts/problem.js';
import * as m from '#words/messages.js';

/** `Retry-After` in seconds while a part of the installation is unavailable. */
const RETRY_AFTER_SECONDS = 2;

/** A refusal as a body of problem+json. */
export function problem(code: ProblemCode, detail: string, correlationId: string): Problem {
  const status = PROBLEMS[code];
  const words = code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return {
    code,
    title: m.error_title({ words, status: String(status) }),
    status,
    detail,
    correlationId,
  };
}

/** Nobody knows what became of a call: one that changes something may have done so, or may do so yet. */
export function answerTookTooLong(method: string, correlationId: string): Problem {
  const detail = isSafe(method) ? m.error_no_answer_in_time() : m.error_outcome_unknown();
  return problem('AnswerTookTooLong', detail, correlationId);
}

/** Whether a call with this method changes nothing. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function sendProblem(response: Response, body: Problem): void {
  if (body.status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  response.status(body.status).type('application/problem+json').send(JSON.stringify(body));
}
