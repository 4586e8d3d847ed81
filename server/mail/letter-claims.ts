import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { Logger } from '#platform/logging.js';

/** A claim that its process has not renewed for so long is over: the process died. */
export const CLAIM_LASTS = '15 seconds';
/** Milliseconds since the last renewal in which a claim holds for certain, and nobody needs to be asked. */
const HOLDS_FOR = 8000;
/** Milliseconds between two renewals. */
const RENEWED_EVERY = 3000;

/** The claim of this process to send some letters. */
export class Claim {
  readonly id = randomUUID();
  /** Those that are not settled yet. */
  readonly causes = new Set<string>();
  /** When it was last known to hold, by the clock of days: this one goes on while the machine sleeps. */
  heldAt = Date.now();
}

/**
 * The claims of this process. As long as it lives they are renewed; once it has died they run out, and the letters are
 * due again.
 */
export class LetterClaims {
  private readonly claims = new Set<Claim>();
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    /** Runs it when no other statement of this process changes the same letters. */
    private readonly serialize: (work: () => Promise<void>) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** @param causes that the ledger has given to the claim */
  keep(claim: Claim, causes: readonly string[]): void {
    for (const cause of causes) claim.causes.add(cause);
    this.claims.add(claim);
    this.renewal ??= setInterval(() => {
      this.renew([...this.claims]).catch((error: unknown) =>
        this.logger.warn({ error }, 'the claims of letters could not be renewed'),
      );
    }, RENEWED_EVERY).unref();
  }

  /** Whether a letter is still this process's to send: one that stood still for long may have lost it. */
  async holds(claim: Claim, cause: string): Promise<boolean> {
    if (Date.now() - claim.heldAt > HOLDS_FOR) await this.renew([claim]);
    return claim.causes.has(cause);
  }

  /** A letter is settled or given back. */
  forget(claim: Claim, cause: string): void {
    claim.causes.delete(cause);
    if (claim.causes.size === 0) this.claims.delete(claim);
    if (this.claims.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.renewal);
    this.renewal = undefined;
  }

  /** A letter that was queued again goes back to its claim as long as nobody else has claimed it. */
  private renew(claims: readonly Claim[]): Promise<void> {
    return this.serialize(() => this.renewNow(claims));
  }

  private async renewNow(claims: readonly Claim[]): Promise<void> {
    const at = Date.now();
    const asked = claims.flatMap((claim) => [...claim.causes].map((cause) => ({ claim, cause })));
    const rows = await queryRows(this.database, z.object({ cause: z.string() }), {
      name: 'renew-letters',
      text: `
        update letters.letter l set state = 'sending', due_at = now() + $3::interval
        from unnest($1::text[], $2::uuid[]) held(cause, claim)
        where l.cause = held.cause and l.claim = held.claim and l.state in ('waiting', 'sending')
        returning l.cause`,
      values: [asked.map(({ cause }) => cause), asked.map(({ claim }) => claim.id), CLAIM_LASTS],
    });
    const held = new Set(rows.map(({ cause }) => cause));
    for (const { claim, cause } of asked) if (!held.has(cause)) this.forget(claim, cause);
    for (const claim of claims) claim.heldAt = at;
  }
}
