import { z } from 'zod';

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

/** `GET fine/{id}`: the fee of a borrow; `id` is the borrow's. Amounts in PLN. */
export const fineSchema = z.object({
  borrowId: z.uuid(),
  charged: z.number().min(0),
  paid: z.number().min(0),
  due: z.number().min(0),
});
export type Fine = z.infer<typeof fineSchema>;
