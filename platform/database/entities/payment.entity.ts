import { Column, Entity, PrimaryColumn } from 'typeorm';

export type PaymentStatus =
  | 'open'
  | 'paid'
  | 'refunding'
  | 'refunded'
  | 'refused'
  | 'expired'
  | 'failed'
  /** Of the desk alone: `PaymentUndone` or `RefundUndone` may be in the log. */
  | 'undoing'
  | 'undone';

/** The command that undoes a payment at the desk. */
export interface UndoingPayment {
  revision: number;
  librarianId: string;
  commandId: string;
  commandDigest: string;
}

/** A payment of a fee in the ledger, or money that was given back at the desk (docs/decisions/017-payments.md). */
@Entity('payment_transaction')
export class PaymentTransactionEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'borrow_id' }) borrowId!: string;
  @Column('uuid', { name: 'reader_id' }) readerId!: string;
  /** Whether the money came in or, at the desk, went out. */
  @Column('text', { default: 'fee' }) kind!: 'fee' | 'refund';
  /** grosze */
  @Column('integer') amount!: number;
  /** All that was due when it was begun, in grosze. */
  @Column('integer') due!: number;
  @Column('text') currency!: string;
  @Column('text') provider!: string;
  /** None until the provider has answered; without it nobody was ever sent to pay. The desk has none. */
  @Column('text', { name: 'provider_reference', nullable: true }) reference!: string | null;
  @Column('text') status!: PaymentStatus;
  /** Where `FinePaid` or `RefundPaid` is in the log; none unless it is or was paid. */
  @Column('bigint', {
    name: 'log_position',
    nullable: true,
    transformer: {
      from: (position: string | null) => (position === null ? null : BigInt(position)),
      to: (position: bigint | null | undefined) => position?.toString() ?? position,
    },
  })
  logPosition!: bigint | null;
  @Column('timestamptz') created!: Date;
  @Column('timestamptz') updated!: Date;
  /** The librarian who took it at the desk, or gave it back; none of a payment online. */
  @Column('uuid', { name: 'received_by', nullable: true }) receivedBy!: string | null;
  /** Once somebody has begun to undo it. */
  @Column('jsonb', { nullable: true }) undoing!: UndoingPayment | null;
}

/** A payment in the books of the sandbox provider, into which the ledger never looks. */
@Entity('sandbox_payment')
export class SandboxPaymentEntity {
  /** Opens the page: cannot be guessed. */
  @PrimaryColumn('text') reference!: string;
  @Column('uuid', { name: 'transaction_id' }) transactionId!: string;
  /** In hundredths. */
  @Column('integer') amount!: number;
  @Column('text') currency!: string;
  @Column('jsonb') titles!: string[];
  @Column('text') status!: 'open' | 'paid' | 'refused' | 'expired';
  @Column('timestamptz') created!: Date;
  @Column('timestamptz') expires!: Date;
  @Column('timestamptz', { name: 'charged_at', nullable: true }) chargedAt!: Date | null;
  @Column('timestamptz', { name: 'refunded_at', nullable: true }) refundedAt!: Date | null;
}
