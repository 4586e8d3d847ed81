import { Injectable, Module } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';
import * as m from '#words/messages.js';

/** Signals shutdown to calls that may wait for minutes: they respond that the client should continue elsewhere. */
@Injectable()
export class Closing {
  private readonly ending = new AbortController();

  /** Aborted on shutdown, with the response as its reason. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  begin(): void {
    this.ending.abort(new DomainError('ServerClosing', m.error_closing()));
  }
}

@Module({ providers: [Closing], exports: [Closing] })
export class ClosingModule {}
