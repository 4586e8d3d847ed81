import * as m from '#words/messages.js';
import { z } from 'zod';
import { commandAnswerSchema } from '../borrowing/borrow-views.js';
import { call } from '../call.js';

/** Where the reader pays (specification, section 3, "Payment creation response"). */
export const paymentCreationSchema = z.object({
  /** The provider's page, where the reader pays. */
  redirectUrl: z.string(),
  transactionId: z.string(),
});
export type PaymentCreation = z.infer<typeof paymentCreationSchema>;

/** Only a payment that the provider says was made is confirmed. */
export const paymentConfirmationSchema = z.object({
  borrowId: z.uuid(),
  /** PLN */
  amount: z.number().positive(),
});
export type PaymentConfirmation = z.infer<typeof paymentConfirmationSchema>;

/** What is to be paid at the desk, or given back there, at this moment. */
const deskFeeSchema = z.object({
  /** grosze */
  due: z.int().min(0),
  /** What the reader would get back, in grosze; days late that are not charged yet are taken off. */
  refund: z.int().min(0),
  /** Days begun since the due date. */
  daysLate: z.int().min(0),
});
export type DeskFee = z.infer<typeof deskFeeSchema>;

/** Money that changed hands. */
const deskPaymentSchema = commandAnswerSchema.extend({ transactionId: z.uuid() });
export type DeskPayment = z.infer<typeof deskPaymentSchema>;

/** What can be paid online. */
const paymentTermsSchema = z.object({
  /** Whether anything can be paid online. */
  online: z.boolean(),
  /** The least that the provider takes, in grosze; 0 where it takes any amount. */
  minimumAmount: z.int().min(0),
});
export type PaymentTerms = z.infer<typeof paymentTermsSchema>;

/** The fee of a borrow, in PLN. */
const fineSchema = z.object({
  borrowId: z.uuid(),
  charged: z.number().min(0),
  paid: z.number().min(0),
  due: z.number().min(0),
});
export type Fine = z.infer<typeof fineSchema>;

const ofBorrow = z.object({ borrowId: z.uuid() });

export const createPayment = call('POST Payment/create', {
  may: ['SignedIn'],
  query: ofBorrow,
  answer: paymentCreationSchema,
  tag: '',
});

export const confirmPayment = call('POST Payment/confirm', {
  may: ['SignedIn'],
  query: z.object({ transactionId: z.string().min(1).max(200) }),
  answer: paymentConfirmationSchema,
  tag: '',
});

/** What can be paid online, so that the client offers no page that would refuse. */
export const readPaymentTerms = call('GET Payment/terms', {
  may: ['SignedIn'],
  answer: paymentTermsSchema,
  tag: '',
});

/** What a reader at the desk has to pay, or gets back. */
export const readDeskFee = call('GET Payment/desk', {
  may: ['fees'],
  query: ofBorrow,
  answer: deskFeeSchema,
  tag: '',
});

const atTheDesk = {
  may: ['fees'],
  query: ofBorrow,
  /** What the librarian saw, and has received or handed back, in grosze. */
  body: z.object({ amount: z.int().min(1) }),
  answer: deskPaymentSchema,
  keyed: true,
  tag: '',
} as const;

/** Records a payment at the desk: of the whole amount due, or of a part of it. */
export const payAtDesk = call('POST Payment/desk', {
  ...atTheDesk,
  body: z
    .object({
      amount: z.int().min(1),
      /** All that was due when the librarian looked, in grosze: without it the amount is all of it. */
      due: z.int().min(1).optional(),
    })
    .refine(({ amount, due = amount }) => amount <= due, {
      path: ['amount'],
      error: () => m.till_more_than_due(),
    }),
});

/** Records that the reader got back, at the desk, all that they had paid for a book that was found. */
export const refundAtDesk = call('POST Payment/refund', atTheDesk);

/** The fee of a borrow, for its reader and for staff; `id` is the borrow's. */
export const readFine = call('GET fine/:id', {
  may: ['SignedIn'],
  forOthers: ['desk', 'fees', 'audit'],
  params: z.object({ id: z.uuid() }),
  answer: fineSchema,
  tag: '',
});

/** Stripe's messages. The signature proves the sender. */
export const receiveWebhook = call('POST Payment/webhook', {
  may: ['Everybody'],
  answer: z.object({ received: z.literal(true) }),
});
