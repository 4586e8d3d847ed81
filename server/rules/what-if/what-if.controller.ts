import { Controller } from '@nestjs/common';
import * as calls from '#contracts/rules/what-if.js';
import type { LatestTrial, TrialReaders, TrialView } from '#contracts/rules/what-if.js';
import { correlationId } from '../../http/correlation.js';
import { Serves, type Asked } from '../../http/serves.js';
import { Trials } from './trials.js';

/** What other rules would have done. */
@Controller()
export class WhatIfController {
  constructor(private readonly trials: Trials) {}

  @Serves(calls.askForTrial)
  async ask({ caller, body }: Asked<typeof calls.askForTrial>): Promise<{ id: string }> {
    return { id: await this.trials.ask(body, caller.accountId) };
  }

  @Serves(calls.readLatestTrial)
  latest(): Promise<LatestTrial> {
    return this.trials.latest();
  }

  @Serves(calls.readTrial)
  one({ params }: Asked<typeof calls.readTrial>): Promise<TrialView> {
    return this.trials.one(params.id);
  }

  @Serves(calls.cancelTrial)
  cancel({ params }: Asked<typeof calls.cancelTrial>): Promise<TrialView> {
    return this.trials.cancel(params.id);
  }

  @Serves(calls.readTrialReaders)
  readers({ caller, params }: Asked<typeof calls.readTrialReaders>): Promise<TrialReaders> {
    return this.trials.readers(params.id, caller.accountId, correlationId());
  }
}
