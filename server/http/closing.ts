import { Injectable, Module } from '@nestjs/common';
import { DomainError } from '#contracts/domain-error.js';

/** Tells calls that may wait for minutes that this server ends: they answer that there is more to wait for elsewhere. */
@Injectable()
export class Closing {
  private readonly ending = new AbortController();

  /** Aborted, with the answer as its reason, when nobody may wait here any more. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  begin(): void {
    this.ending.abort(
      new DomainError(
        'ServerClosing',
        'The library restarts. What you asked for goes on; please ask for it again in a moment.',
      ),
    );
  }
}

@Module({ providers: [Closing], exports: [Closing] })
export class ClosingModule {}
