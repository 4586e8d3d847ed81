import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SimulationRunner } from './simulation-runner.js';
import { Simulations } from './simulations.js';
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
      providers: [Simulations, ...(alsoWorks ? [SimulationRunner] : [])],
    };
  }

  /** For a process that only does jobs. */
  static working(): DynamicModule {
    return { module: WhatIfModule, providers: [SimulationRunner] };
  }
}
