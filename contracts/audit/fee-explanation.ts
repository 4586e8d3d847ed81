import { z } from 'zod';

/** `GET Borrow/fee?borrowId=`, for the owner. Auditors and admins ask `GET Audit/borrows/:borrowId/fee`. */
export const feeQuerySchema = z.object({ borrowId: z.uuid() });

const pln = z.number().min(0);

/** One charge: the event, and the sum that it is the outcome of. Amounts in PLN. */
export const feeChargeSchema = z.object({
  revision: z.int().min(0),
  chargedAt: z.iso.datetime(),
  /** When the books were due at that moment: renewals move it. */
  dueDate: z.iso.datetime().nullable(),
  reason: z.string(),
  daysLate: z.int().min(1),
  books: z.int().min(1),
  policyVersion: z.int(),
  /** Per book and started day, and the most that one borrow can cost; null for a policy this release does not know. */
  rate: pln.nullable(),
  cap: pln.nullable(),
  /** Days × books × rate, before the cap. */
  computed: pln.nullable(),
  capped: z.boolean(),
  /** All charges of the borrow up to this one, as recorded. */
  total: pln,
  /** What this charge added, as recorded. */
  amount: pln,
  /** Whether the recorded amounts are what the policy makes of days and books; null where that cannot be said. */
  addsUp: z.boolean().nullable(),
  sentence: z.string(),
});
export type FeeCharge = z.infer<typeof feeChargeSchema>;

export const feePaymentSchema = z.object({
  revision: z.int().min(0),
  paidAt: z.iso.datetime(),
  amount: pln,
  provider: z.string(),
  sentence: z.string(),
});
export type FeePayment = z.infer<typeof feePaymentSchema>;

/** From a fee to the events, days, rate and rules that made it. */
export const feeExplanationSchema = z.object({
  borrowId: z.uuid(),
  readerId: z.uuid(),
  charges: z.array(feeChargeSchema),
  payments: z.array(feePaymentSchema),
  charged: pln,
  paid: pln,
  due: pln,
  /** The whole of it in plain English, in the order in which it happened. */
  sentences: z.array(z.string()),
});
export type FeeExplanation = z.infer<typeof feeExplanationSchema>;
