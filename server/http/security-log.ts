import { createHmac } from 'node:crypto';
import {
  Inject,
  Injectable,
  SetMetadata,
  UseInterceptors,
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';
import { tap } from 'rxjs';
import type { ProblemCode } from '#contracts/problem.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { derivedKey } from '#platform/signing-keys.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import type { SignedInRequest } from './access.js';
import { correlationId } from './correlation.js';

const SECURITY_EVENT = 'securityEvent';

type SecurityEvent<Answer> = string | ((answer: Answer) => string);

/**
 * Records a successful call of this handler in the security log.
 * @param event what has happened then: `signed in`; may depend on the answer
 */
export const Recorded = <Answer>(event: SecurityEvent<Answer>) =>
  applyDecorators(SetMetadata(SECURITY_EVENT, event), UseInterceptors(SecurityLog));

/** Refusals that show who tried what. Those of a business rule, such as a missing copy, are no security events. */
const REFUSALS: ReadonlySet<string> = new Set([
  'NotSignedIn',
  'SessionEnded',
  'NotAllowed',
  'CrossSiteRequest',
  'TooManyAttempts',
  'WrongCredentials',
  'EmailNotConfirmed',
  'LinkInvalid',
  'LookNotRecorded',
  'ProofRefused',
  'SignOnFailed',
  'SignOnRefused',
  'StaffSignOnRequired',
  'SecondFactorRequired',
] satisfies ProblemCode[]);

/**
 * Who signed in, changed rights or passwords, and what was refused to whom: log lines with a `security` field at
 * `info`. They hold account ids and a digest of the caller's address, which tells lines of one source from those of
 * another; never a name, an address, a token or a value of the request.
 */
@Injectable()
export class SecurityLog implements NestInterceptor {
  private readonly key: Uint8Array;

  constructor(
    @Inject(SETTINGS) { JWT_SECRET }: Pick<ResolvedSettings, 'JWT_SECRET'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly reflector: Reflector,
  ) {
    this.key = derivedKey(JWT_SECRET, 'sources in the security log');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const event = this.reflector.get<SecurityEvent<unknown> | undefined>(
      SECURITY_EVENT,
      context.getHandler(),
    );
    if (event === undefined) return next.handle();
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    return next.handle().pipe(
      tap((answer: unknown) => {
        this.logger.info(
          { ...this.facts(request), accountId: accountOf(request, answer), about: subjectOf(request) },
          `security: ${typeof event === 'string' ? event : event(answer)}`,
        );
      }),
    );
  }

  /** @param code of the problem that the call is answered with; any is passed in, those of security are recorded */
  refused(code: string, request: SignedInRequest): void {
    if (!REFUSALS.has(code)) return;
    this.logger.info({ ...this.facts(request), accountId: accountOf(request), code }, 'security: refused');
  }

  private facts(request: SignedInRequest) {
    // Of the address the route alone: a path may hold ids, a query a one-time token.
    const route = (request.route as { path?: unknown } | undefined)?.path;
    return {
      security: true,
      correlationId: correlationId(),
      call: `${request.method} ${typeof route === 'string' ? route : '(no route)'}`,
      source: createHmac('sha256', this.key)
        .update(request.ip ?? '')
        .digest('base64url')
        .slice(0, 16),
    };
  }
}

function accountOf(request: SignedInRequest, answer?: unknown): string | undefined {
  if (request.signedIn) return request.signedIn.accountId;
  const isAccount = typeof answer === 'object' && answer !== null && 'id' in answer && 'roles' in answer;
  return isAccount ? String(answer.id) : undefined;
}

/** Whose account an administrator's call is about. Only recorded after success, when it is known to be an id. */
function subjectOf({ body, query }: SignedInRequest): string | undefined {
  const named: unknown = (body as { id?: unknown } | undefined)?.id ?? query['id'];
  return typeof named === 'string' ? named : undefined;
}
