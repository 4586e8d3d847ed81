import { randomUUID } from 'node:crypto';
import type { TestBorrow } from './borrow-steps.js';
import type { TestProduct } from './product.js';

/**
 * Stores a payment that another provider took, as after the provider was changed while its page was open.
 * @param amount grosze
 * @throws an Error where that is not owed
 */
export async function settleElsewhere(
  product: TestProduct,
  { borrowId, reader }: Pick<TestBorrow, 'borrowId' | 'reader'>,
  amount: number,
  at: Date,
): Promise<string> {
  const transactionId = randomUUID();
  const payment = { type: 'RecordPayment' as const, borrowId, amount, transactionId, provider: 'elsewhere' };
  await product.change(reader.pseudonym, { ...payment, at: at.toISOString() });
  return transactionId;
}
