import { withDeadlineTimeout } from '../deadline.js';

/** A part that the process depends on. */
export interface Probe {
  name: string;
  /** Without a required part the process can do nothing; without another one it still does some of its work. */
  required: boolean;
  /** Returns details, and `ok: false` if they are bad; throws when the part is unavailable. */
  check: () => Promise<({ ok?: boolean } & Record<string, number | string | boolean>) | void>;
}

/** `unavailable`: route no traffic here. `degraded`: a part is unavailable, and the rest works. */
export type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'closing';

export interface Readiness {
  status: ReadinessStatus;
  checks: Record<string, { ok: boolean; milliseconds: number } & Record<string, unknown>>;
}

/** Timeout of a check, in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Checks every part at once. Failures are reported by the part's name only: an error message may contain an address or
 * a user's name, and anybody who reaches the port sees this response.
 */
export async function readiness(probes: readonly Probe[]): Promise<Readiness> {
  const checks = await Promise.all(
    probes.map(async ({ name, check }) => {
      const began = performance.now();
      const outcome = await withDeadlineTimeout(TIMEOUT, check, 'no answer in time').then(
        (details) => ({ ok: true, ...details }),
        () => ({ ok: false }),
      );
      return [name, { ...outcome, milliseconds: Math.round(performance.now() - began) }] as const;
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
