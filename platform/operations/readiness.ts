import { within } from '../within.js';

/** One part that the process needs. */
export interface Probe {
  name: string;
  /** Without it the process can do nothing for anybody; without another one it can still do a part. */
  required: boolean;
  /** Gives what is worth telling, and `ok: false` where that is no good news; throws when the part is away. */
  check: () => Promise<({ ok?: boolean } & Record<string, number | string | boolean>) | void>;
}

/** `unavailable`: send nobody here. `degraded`: a part is away, and what does not need it works. */
export type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'closing';

export interface Readiness {
  status: ReadinessStatus;
  checks: Record<string, { ok: boolean; milliseconds: number } & Record<string, unknown>>;
}

/** Milliseconds after which a part that does not answer counts as away. */
const PATIENCE = 2_000;

/**
 * Asks every part at once. What is wrong is told by the part's name alone: an error's own words may hold an
 * address or a user's name, and this answer is for whoever reaches the port.
 */
export async function readiness(probes: readonly Probe[]): Promise<Readiness> {
  const checks = await Promise.all(
    probes.map(async ({ name, check }) => {
      const began = performance.now();
      const told = await within(PATIENCE, check(), 'no answer in time').then(
        (details) => ({ ok: true, ...details }),
        () => ({ ok: false }),
      );
      return [name, { ...told, milliseconds: Math.round(performance.now() - began) }] as const;
    }),
  );
  const away = new Set(checks.filter(([, { ok }]) => !ok).map(([name]) => name));
  const status = probes.some(({ name, required }) => required && away.has(name))
    ? 'unavailable'
    : away.size > 0
      ? 'degraded'
      : 'ready';
  return { status, checks: Object.fromEntries(checks) };
}
