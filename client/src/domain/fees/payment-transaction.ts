import { readStored, writeStored } from '../../lib/store.js';

const TRANSACTION_KEY = 'transactionId';

/** The payment that was begun here and not confirmed yet; it outlives the visit to the provider's page. */
export const paymentTransaction = {
  stored: (): string | null => readStored(TRANSACTION_KEY),
  store: (transactionId: string): void => writeStored(TRANSACTION_KEY, transactionId),
  remove: (): void => writeStored(TRANSACTION_KEY, null),
};
