/** Request header that makes repeating a command safe. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key';
