import type { Probe } from './readiness.js';

/**
 * Probes of parts that only some features know, such as printing. They are no reason to route calls elsewhere, so
 * /readyz leaves them out; the state of the house has them.
 */
export class PartProbes {
  private readonly probes: Probe[] = [];

  /** @param check as that of a probe */
  add(name: string, check: Probe['check']): void {
    this.probes.push({ name, required: false, check });
  }

  get all(): readonly Probe[] {
    return this.probes;
  }
}
