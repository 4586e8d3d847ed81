import { z } from 'zod';
import { WAIVER_REASONS } from '../borrowing/borrow-events.js';
import { MAX_STEPS } from '../borrowing/borrow-details.js';
import { openEnum } from '../open-enum.js';

const pln = z.number().min(0);

/** One charge: the event, and how its amount was calculated. Amounts in PLN. */
export const feeChargeSchema = z.object({
  revision: z.int().min(0),
  chargedAt: z.iso.datetime(),
  /** When the books were due at that moment: renewals move it. */
  dueDate: z.iso.datetime().nullable(),
  reason: z.string(),
  daysLate: z.int().min(1),
  books: z.int().min(1),
  policyVersion: z.int(),
  /** The days between which `daysLate` was counted; null where it was by hours, by rules of version 1. */
  calendar: z.object({ timeZone: z.string(), dueDay: z.iso.date(), chargedDay: z.iso.date() }).nullable(),
  /** Per book and started day, and the most that one borrow can cost; null for a policy this release does not know. */
  rate: pln.nullable(),
  cap: pln.nullable(),
  /** Days × books × rate, before the cap; of books that came back before, their own days. */
  computed: pln.nullable(),
  capped: z.boolean(),
  /** All charges of the borrow up to this one, as recorded. */
  total: pln,
  /** What this charge added, as recorded. */
  amount: pln,
  /** Whether the recorded amounts follow from the policy, days and books; null if that is unknown. */
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

/** A part of a fee that need not be paid. */
export const feeWaiverSchema = z.object({
  revision: z.int().min(0),
  waivedAt: z.iso.datetime(),
  amount: pln,
  reason: openEnum(z.enum(WAIVER_REASONS), 'other'),
  sentence: z.string(),
});
export type FeeWaiver = z.infer<typeof feeWaiverSchema>;

/** Money that was given back at the desk, of a book that was found. */
export const feeRefundSchema = z.object({
  revision: z.int().min(0),
  paidAt: z.iso.datetime(),
  amount: pln,
  sentence: z.string(),
});
export type FeeRefund = z.infer<typeof feeRefundSchema>;

/** A payment, a waiver, a finding or a giving back that was undone: its amount is due, or owed, again. */
export const feeCorrectionSchema = z.object({
  revision: z.int().min(0),
  undoneAt: z.iso.datetime(),
  amount: pln,
  sentence: z.string(),
});
export type FeeCorrection = z.infer<typeof feeCorrectionSchema>;

/** What was charged for a lost or damaged book. */
export const feeLossSchema = z.object({
  revision: z.int().min(0),
  reportedAt: z.iso.datetime(),
  bookId: z.int(),
  amount: pln,
  policyVersion: z.int(),
  /** Whether the amount follows from the policy and the price; null for a policy this release does not know. */
  addsUp: z.boolean().nullable(),
  sentence: z.string(),
});
export type FeeLoss = z.infer<typeof feeLossSchema>;

/** The charge of a lost book, taken back: it was found, or had been marked by mistake. */
export const feeTakenBackSchema = z.object({
  revision: z.int().min(0),
  takenBackAt: z.iso.datetime(),
  amount: pln,
  sentence: z.string(),
});
export type FeeTakenBack = z.infer<typeof feeTakenBackSchema>;

/** Explains a fee by its events, days, rate and rules: of more than `MAX_STEPS` by the last, while the sums are of all. */
export const feeExplanationSchema = z.object({
  borrowId: z.uuid(),
  readerId: z.uuid(),
  charges: z.array(feeChargeSchema).max(MAX_STEPS),
  payments: z.array(feePaymentSchema).max(MAX_STEPS),
  waivers: z.array(feeWaiverSchema).max(MAX_STEPS),
  corrections: z.array(feeCorrectionSchema).max(MAX_STEPS),
  losses: z.array(feeLossSchema).max(MAX_STEPS),
  takenBack: z.array(feeTakenBackSchema).max(MAX_STEPS),
  refunds: z.array(feeRefundSchema).max(MAX_STEPS),
  charged: pln,
  /** Less what was given back. */
  paid: pln,
  waived: pln,
  due: pln,
  /** What was paid for a book that was found, and is still owed to the reader. */
  refund: pln,
  /** The explanation in plain words, in the order of events. */
  sentences: z.array(z.string()).max(MAX_STEPS),
});
export type FeeExplanation = z.infer<typeof feeExplanationSchema>;
