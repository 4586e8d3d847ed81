import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TrialRunner } from './trial-runner.js';
import { Trials } from './trials.js';
import { WhatIfController } from './what-if.controller.js';

/** What other rules would have done. */
@Module({})
export class WhatIfModule {
  /** For a server: before the module of the rules, whose calls have a version where these have a name. */
  static answering(alsoWorks: boolean): DynamicModule {
    return {
      module: WhatIfModule,
      imports: [CqrsModule],
      controllers: [WhatIfController],
      providers: [Trials, ...(alsoWorks ? [TrialRunner] : [])],
    };
  }

  /** For a process that only does jobs. */
  static working(): DynamicModule {
    return { module: WhatIfModule, providers: [TrialRunner] };
  }
}
