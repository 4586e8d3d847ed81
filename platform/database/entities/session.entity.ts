import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity.js';

/** Somebody who is signed in on one device. A session that has ended has no row. */
@Entity('session')
export class SessionEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
  @Column('timestamptz') created!: Date;
  /** Written at most once a minute. */
  @Column('timestamptz', { name: 'last_used' }) lastUsed!: Date;
  /** The end in any case, however much it is used. */
  @Column('timestamptz') expires!: Date;
  /** What its owner recognizes it by: "Firefox on Windows". */
  @Column('text') device!: string;
  /** The network that it was begun from, without the part that names one machine. */
  @Column('text') network!: string;
  /** When its owner last proved who he is: by signing in. */
  @Column('timestamptz', { name: 'authenticated_at' }) authenticatedAt!: Date;
  /** When he last did so again, asked before something dangerous. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  /** When he last gave a second factor in this session. */
  @Column('timestamptz', { name: 'second_factor_at', nullable: true }) secondFactorAt!: Date | null;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id' })
  account?: AccountEntity;
}
