import { randomUUID } from 'node:crypto';
import type { EventLog } from '#platform/event-log/event-log.js';
import { decide } from '#circulation/borrow/borrow.decider.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { ReaderStreams } from '../server/borrowing/streams/reader-streams.js';

/**
 * Stores a payment that another provider took, as after the provider was changed while its page was open.
 * @param amount grosze
 * @throws DomainError where that is not owed
 */
export async function settleElsewhere(
  log: EventLog,
  readerId: string,
  borrowId: string,
  amount: number,
  at: Date,
): Promise<string> {
  const transactionId = randomUUID();
  const change = { type: 'RecordPayment' as const, borrowId, amount, transactionId, provider: 'elsewhere' };
  const context = {
    actor: readerId,
    correlationId: transactionId,
    ...commandIdentity(transactionId, 'payments', change.type, change),
  };
  await new ReaderStreams(log).execute(readerId, context, (state) =>
    decide(state, { ...change, at: at.toISOString() }, borrowRules('UTC')),
  );
  return transactionId;
}
