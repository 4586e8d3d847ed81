import { z } from 'zod';
import { commandAnswerSchema } from '../borrowing/borrow-views.js';

/** The query of `POST Payment/create`. */
export const paymentCreateQuerySchema = z.object({ borrowId: z.uuid() });

/** The answer to it (specification, section 3, "Payment creation response"). */
export const paymentCreationSchema = z.object({
  /** The provider's page, where the reader pays. */
  redirectUrl: z.string(),
  transactionId: z.string(),
});
export type PaymentCreation = z.infer<typeof paymentCreationSchema>;

/** The query of `POST Payment/confirm`. */
export const paymentConfirmQuerySchema = z.object({ transactionId: z.string().min(1).max(200) });

/** The answer to it: only a payment that the provider says was made is confirmed. */
export const paymentConfirmationSchema = z.object({
  borrowId: z.uuid(),
  /** PLN */
  amount: z.number().positive(),
  upToDate: z.boolean(),
});
export type PaymentConfirmation = z.infer<typeof paymentConfirmationSchema>;

/** The query of `GET` and `POST Payment/desk`, and of `POST Payment/refund`. */
export const deskPaymentQuerySchema = z.object({ borrowId: z.uuid() });

/** `GET Payment/desk`: what is to be paid at the desk, or given back there, at this moment. */
export const deskFeeSchema = z.object({
  /** grosze */
  due: z.int().min(0),
  /** What the reader would get back, in grosze; days late that are not charged yet are taken off. */
  refund: z.int().min(0),
  /** Days begun since the due date. */
  daysLate: z.int().min(0),
});
export type DeskFee = z.infer<typeof deskFeeSchema>;

/**
 * The body of `POST Payment/desk`: the fee that the librarian saw and has received, in grosze; and of `POST Payment/refund`: what she
 * saw and has handed back.
 */
export const deskPaymentBodySchema = z.object({ amount: z.int().min(1) });
export type DeskPaymentBody = z.infer<typeof deskPaymentBodySchema>;

/** The answer to those. */
export const deskPaymentSchema = commandAnswerSchema.extend({ transactionId: z.uuid() });
export type DeskPayment = z.infer<typeof deskPaymentSchema>;

/** `GET Payment/terms`: what can be paid online. */
export const paymentTermsSchema = z.object({
  /** Whether anything can be paid online. */
  online: z.boolean(),
  /** The least that the provider takes, in grosze; 0 where it takes any amount. */
  minimumAmount: z.int().min(0),
});
export type PaymentTerms = z.infer<typeof paymentTermsSchema>;

/** `GET fine/{id}`: the fee of a borrow; `id` is the borrow's. Amounts in PLN. */
export const fineSchema = z.object({
  borrowId: z.uuid(),
  charged: z.number().min(0),
  paid: z.number().min(0),
  due: z.number().min(0),
});
export type Fine = z.infer<typeof fineSchema>;
