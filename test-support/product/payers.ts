import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { Chance } from '../arbitraries/chance.js';
import { FakeStripe } from '../services/fake-stripe.js';

/** What a provider has in its own books of one transaction. */
const bookedPayment = z.object({
  transactionId: z.string(),
  /** grosze */
  amount: z.int(),
  charges: z.int(),
  refunds: z.int(),
});
export type BookedPayment = z.output<typeof bookedPayment>;

/** People who pay at a provider, and what befalls them, for a test that does not care which provider it is. */
export interface Payers {
  environment: NodeJS.ProcessEnv;
  /** Does something with a payment: pays, declines, leaves. Nothing where that is at its end. */
  act(database: Database, productUrl: string, transactionId: string, chance: Chance): Promise<void>;
  /** The provider tells of a payment, as early, as late and as often as it likes; gives the status it was answered. */
  tell(productUrl: string, transactionId: string, chance: Chance): Promise<number | undefined>;
  /** From now on calls of the provider go wrong; without a chance they go well again. */
  disturb(chance?: Chance): void;
  /** Every page runs out, and money that is on its way arrives or does not. */
  end(chance: Chance): void;
  books(database: Database): Promise<BookedPayment[]>;
  stop(): Promise<void>;
}

/** The sandbox: its pages are the product's own, and run out by the clock. */
export function sandboxPayers(): Payers {
  return {
    environment: {},
    async act(database, productUrl, transactionId, chance) {
      const payment = await queryRow(
        database,
        z.object({ reference: z.string() }),
        'select reference from sandbox_payment where transaction_id = $1',
        [transactionId],
      );
      const choice = chance.chance(1 / 4) ? 'decline' : 'pay';
      const page = `${productUrl}/dev/pay/${payment?.reference}/${choice}`;
      await fetch(page, { method: 'POST', redirect: 'manual' });
    },
    tell: async () => undefined,
    disturb: () => undefined,
    end: () => undefined,
    async books(database) {
      return queryRows(
        database,
        bookedPayment,
        `select transaction_id as "transactionId", amount, (charged_at is not null)::integer as charges,
           (refunded_at is not null)::integer as refunds from sandbox_payment`,
      );
    },
    stop: async () => undefined,
  };
}

const TOLD = ['completed', 'expired', 'async_payment_succeeded', 'async_payment_failed'] as const;

/** Stripe, as `FakeStripe` plays it. */
export async function stripePayers(): Promise<Payers> {
  const stripe = await FakeStripe.start();
  const settle = (transactionId: string, chance: Chance) => {
    const { status, intent } = stripe.session(transactionId);
    if (status !== 'complete' || intent !== 'processing') return;
    stripe.settle(transactionId, chance.chance(1 / 3) ? 'failed' : 'paid');
  };
  return {
    environment: stripe.environment,
    async act(_database, _productUrl, transactionId, chance) {
      if (stripe.session(transactionId).status !== 'open') return settle(transactionId, chance);
      const choice = chance.below(6);
      if (choice === 0) stripe.runOut(transactionId);
      else if (choice === 1) stripe.payLater(transactionId);
      else stripe.pay(transactionId);
    },
    tell: (productUrl, transactionId, chance) =>
      stripe.tell(productUrl, transactionId, `checkout.session.${chance.pick(TOLD)}`),
    disturb(chance) {
      stripe.fault = () =>
        chance?.chance(1 / 4) ? chance.pick(['refused', 'lost-before', 'lost-after'] as const) : undefined;
    },
    end(chance) {
      for (const { transactionId } of stripe.sessions.values()) {
        stripe.runOut(transactionId);
        settle(transactionId, chance);
      }
    },
    books: async () =>
      [...stripe.sessions.values()].map(({ transactionId, amount }) => ({
        transactionId,
        amount,
        charges: stripe.charges.filter((charge) => charge.transactionId === transactionId).length,
        refunds: stripe.refunds.filter((refund) => refund.transactionId === transactionId).length,
      })),
    stop: () => stripe.stop(),
  };
}
