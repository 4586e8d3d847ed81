import { Controller } from '@nestjs/common';
import * as calls from '#contracts/rules/what-if.js';
import type { LatestSimulation, SimulationReaders, SimulationView } from '#contracts/rules/what-if.js';
import { correlationId } from '../../http/correlation.js';
import { Serves, type Asked } from '../../http/serves.js';
import { Simulations } from './simulations.js';

/** What other rules would have done. */
@Controller()
export class WhatIfController {
  constructor(private readonly simulations: Simulations) {}

  @Serves(calls.askForSimulation)
  async ask({ caller, body }: Asked<typeof calls.askForSimulation>): Promise<{ id: string }> {
    return { id: await this.simulations.ask(body, caller.accountId) };
  }

  @Serves(calls.readLatestSimulation)
  latest(): Promise<LatestSimulation> {
    return this.simulations.latest();
  }

  @Serves(calls.readSimulation)
  one({ params }: Asked<typeof calls.readSimulation>): Promise<SimulationView> {
    return this.simulations.one(params.id);
  }

  @Serves(calls.cancelSimulation)
  cancel({ params }: Asked<typeof calls.cancelSimulation>): Promise<SimulationView> {
    return this.simulations.cancel(params.id);
  }

  @Serves(calls.readSimulationReaders)
  readers({ caller, params }: Asked<typeof calls.readSimulationReaders>): Promise<SimulationReaders> {
    return this.simulations.readers(params.id, caller.accountId, correlationId());
  }
}
