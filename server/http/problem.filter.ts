import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import type { Problem, ProblemCode } from '#contracts/problem.js';
import { isDatabaseAway } from '#platform/database/database-failure.js';
import { DatabaseTimeout } from '#platform/database/timed-pool.js';
import type { Logger } from '#platform/logging.js';
import { TimeoutError } from '#platform/with-timeout.js';
import * as m from '#words/messages.js';
import type { SignedInRequest } from './access.js';
import { hasMissedDeadline } from './request-deadline.js';
import { correlationId } from './correlation.js';
import { answerTookTooLong, isSafe, problem, sendProblem } from './problem.js';
import type { SecurityLog } from './security-log.js';
import { TooManyAttempts } from './too-many-attempts.js';
import { RequestInvalid } from './validation.js';

/** Turns every error of a call into a problem body. Unexpected ones are logged and reported without internals. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly securityLog: SecurityLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (hasMissedDeadline(response)) return;
    const request = host.switchToHttp().getRequest<SignedInRequest>();
    const refusal = this.describe(thrown, request.method);
    this.securityLog.refused(refusal.code, request);
    if (response.headersSent) return void response.end();
    if (thrown instanceof TooManyAttempts) response.setHeader('retry-after', thrown.retryAfterSeconds);
    if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer');
    sendProblem(response, refusal);
  }

  private describe(thrown: unknown, method: string): Problem {
    const id = correlationId();
    if (thrown instanceof DomainError) {
      // That was made before this call, in no language of its own.
      return problem(thrown.code, thrown.code === 'ServerClosing' ? m.error_closing() : thrown.detail, id);
    }
    if (thrown instanceof RequestInvalid) {
      return {
        ...problem('ValidationFailed', m.error_fields(), id),
        errors: thrown.errors,
      };
    }
    if (thrown instanceof HttpException) return this.describeHttp(thrown, id);
    if (isBodyParserError(thrown)) {
      return { ...problem('ValidationFailed', m.error_unreadable(), id), status: thrown.status };
    }
    if (thrown instanceof TimeoutError) {
      this.logger.warn({ error: thrown, correlationId: id }, 'a part did not answer in time');
      return answerTookTooLong(method, id);
    }
    if (isDatabaseAway(thrown)) {
      this.logger.warn({ error: thrown, correlationId: id }, 'the database did not answer');
      const detail = isSilence(thrown) && !isSafe(method) ? m.error_outcome_unknown() : m.error_unavailable();
      return problem('DatabaseUnavailable', detail, id);
    }
    this.logger.error({ error: thrown, correlationId: id }, 'a request failed unexpectedly');
    return problem('Unexpected', m.error_unexpected(), id);
  }

  private describeHttp(thrown: HttpException, id: string): Problem {
    const status = thrown.getStatus();
    if (status >= 500) this.logger.error({ error: thrown, correlationId: id }, 'a request failed');
    const code: ProblemCode =
      status === 404 ? 'NotFound' : status === 403 ? 'NotAllowed' : 'ValidationFailed';
    return { ...problem(code, WORDS[status]?.() ?? thrown.message, id), status };
  }
}

/** Messages for the framework's own refusals. */
const WORDS: Record<number, () => string> = {
  400: m.error_unreadable,
  404: m.error_nothing_here,
  413: m.error_too_large,
};

/** The database was asked, and said nothing; TypeORM wraps it. */
function isSilence(thrown: unknown): boolean {
  const { driverError } = thrown as { driverError?: unknown };
  return thrown instanceof DatabaseTimeout || driverError instanceof DatabaseTimeout;
}

function isBodyParserError(thrown: unknown): thrown is Error & { status: number } {
  return (
    thrown instanceof Error &&
    'status' in thrown &&
    typeof thrown.status === 'number' &&
    'type' in thrown &&
    thrown.status < 500
  );
}
