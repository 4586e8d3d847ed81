import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A title with the number of its copies on the shelf. */
@Entity('book')
export class RivalBook {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  title!: string;

  @Column('integer')
  available!: number;
}

/** A borrow as it is now. */
@Entity('borrow')
@Index(['readerId', 'status'])
@Index(['status', 'rentedAt'])
export class RivalBorrow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  readerId!: string;

  @Column('jsonb')
  books!: { bookId: number; title: string }[];

  @Column('text')
  status!: 'Rented' | 'Issued' | 'Returned';

  @Column('timestamptz')
  rentedAt!: Date;

  @Column('timestamptz')
  collectBy!: Date;

  @Column('timestamptz', { nullable: true })
  issuedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  dueDate!: Date | null;

  @Column('timestamptz', { nullable: true })
  returnedAt!: Date | null;
}

/** Who did what to which borrow. */
@Entity('audit')
@Index(['borrowId'])
export class RivalAudit {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;

  @Column('uuid')
  borrowId!: string;

  @Column('uuid')
  actor!: string;

  @Column('text')
  action!: string;

  @Column('jsonb')
  details!: object;

  @Column('timestamptz')
  at!: Date;
}

/** The dashboard's counters: one row, so that two transactions never wait for each other in a circle. */
@Entity('counters')
export class RivalCounters {
  @PrimaryColumn('integer')
  id!: number;

  @Column('integer', { default: 0 })
  rented!: number;

  @Column('integer', { default: 0 })
  issued!: number;

  @Column('integer', { default: 0 })
  returned!: number;
}
