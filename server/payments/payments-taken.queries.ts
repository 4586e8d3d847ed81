import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { QueryWith } from '../messages.js';
import { PaymentLedger } from './payment-ledger.js';

/** What somebody took of a reader at the desk in the last days, or has begun to take. */
export class PaymentsTaken extends QueryWith<
  { id: string; borrowId: string; amount: number }[],
  { readerId: string; receivedBy: string; days: number }
> {}

@QueryHandler(PaymentsTaken)
export class PaymentsTakenHandler implements IQueryHandler<PaymentsTaken> {
  constructor(private readonly ledger: PaymentLedger) {}

  execute({ readerId, receivedBy, days }: PaymentsTaken) {
    return this.ledger.takenBy(receivedBy, readerId, days);
  }
}
