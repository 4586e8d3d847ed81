import { Global, Inject, Injectable, Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { inContext } from '#platform/deadline.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import type { SignedInRequest } from './access.js';
import { HostCookie } from './cookies.js';

const COOKIE = 'lectern-position';
const HEADER = 'Lectern-Position';
const FORM = /^([\da-f-]{36})\.(\d{1,19})$/;

/**
 * Whoever has stored something reads it in the lists, whichever process answers: the answer names the position of what was
 * stored, in a cookie and in a header, and what they ask next waits until the rows have it. For who is signed in and sends
 * neither, the log is asked how far it goes (`docs/decisions/011-stored-is-answered.md`).
 */
@Injectable()
export class ReadYourWrites implements CanActivate {
  private readonly cookie: HostCookie;

  constructor(
    private readonly progress: ReadModelProgress,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.cookie = new HostCookie(COOKIE, settings);
  }

  /** Has the answer to a request name what was stored for it. */
  readonly carryPosition = (request: Request, response: Response, next: NextFunction): void => {
    const stored: { position?: bigint } = {};
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
    response.writeHead = (...head: unknown[]) => {
      if (stored.position !== undefined) this.tell(request, response, stored.position);
      return writeHead(...head);
    };
    inContext({ stored }, next);
  };

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<SignedInRequest>();
    // Strangers store nothing: what they claim to know keeps nothing waiting.
    const isKnown = request.signedIn !== undefined || request.device !== undefined;
    const known = isKnown ? this.knownTo(request) : undefined;
    const isAsked = known === undefined && isKnown;
    if (!isAsked && this.progress.isAt(known)) return true;
    return this.waited(context, known, isAsked);
  }

  private async waited(
    context: ExecutionContext,
    known: bigint | undefined,
    isAsked: boolean,
  ): Promise<true> {
    const position = isAsked ? await this.progress.newest() : known;
    const reached = await this.progress.current(position);
    // A position that is not of this log, or not yet of these rows, must not keep them waiting again and again.
    if (isAsked || !reached) {
      const http = context.switchToHttp();
      this.tell(http.getRequest<Request>(), http.getResponse<Response>(), this.progress.position);
    }
    return true;
  }

  private knownTo(request: Request): bigint | undefined {
    const given = request.header(HEADER) ?? this.cookie.read(request);
    const [, log, position] = FORM.exec(given ?? '') ?? [];
    return position !== undefined && log === this.progress.log ? BigInt(position) : undefined;
  }

  private tell(request: Request, response: Response, position: bigint): void {
    const { log } = this.progress;
    if (log === null || position < 0n) return;
    const value = `${log}.${position}`;
    response.setHeader(HEADER, value);
    // A program keeps no cookies; every browser has one of ours.
    if (request.headers.cookie !== undefined) this.cookie.set(request, response, value, { path: '/api' });
  }
}

/** Whatever answers a call waits for the rows. */
@Global()
@Module({
  imports: [ReadModelsModule],
  providers: [ReadYourWrites],
  // Each room makes a guard of its own.
  exports: [ReadYourWrites, ReadModelsModule],
})
export class ReadYourWritesModule {}
