import type { Language } from '#contracts/languages.js';
import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  VersionColumn,
} from 'typeorm';
import type { ReaderKind } from '#contracts/rules/kinds.js';

/** Somebody's account: the person, how they sign in and what they may do. */
@Entity('account')
export class AccountEntity {
  @PrimaryColumn('uuid') id!: string;
  /** What the event log calls the person. */
  @Column('uuid') pseudonym!: string;
  @Column('text') username!: string;
  /** What the name is compared by, see `nameKey`. */
  @Column('text', { name: 'name_key' }) nameKey!: string;
  @Column('text') email!: string;
  /** Read where it is asked for alone. */
  @Column('text', { name: 'password_hash', select: false }) passwordHash!: string;
  @Column('text') firstname!: string;
  @Column('text') lastname!: string;
  /** Made by the database of the two names, and read back after a change of either; never null. */
  @Column({
    type: 'text',
    nullable: true,
    insert: false,
    update: false,
    asExpression: `firstname || ' ' || lastname`,
    generatedType: 'STORED',
  })
  fullname!: string;
  /** yyyy-MM-dd */
  @Column('date', { name: 'date_of_birth' }) dateOfBirth!: string;
  @Column('text') gender!: 'Male' | 'Female' | 'Other';
  @Column('text') country!: string;
  @Column('text') city!: string;
  @Column('text') adress!: string;
  @Column('text', { name: 'postal_code' }) postalCode!: string;
  @Column('text', { nullable: true }) phone!: string | null;
  /** Who answers for a child. */
  @Column('text', { nullable: true }) guardian!: string | null;
  /** The last day of the membership, yyyy-MM-dd; null where it has no end. */
  @Column('date', { name: 'member_until', nullable: true }) memberUntil!: string | null;
  /** In which they read and are written to; null where they never chose. */
  @Column('text', { nullable: true }) language!: Language | null;
  @Column('text', { array: true }) roles!: string[];
  /** By which rules they borrow. */
  @Column('text', { default: 'adult' }) kind!: ReaderKind;
  @Column('boolean', { name: 'email_confirmed' }) emailConfirmed!: boolean;
  /** Tokens of an earlier session number are refused. */
  @Column('integer', { default: 1 }) session!: number;
  @Column('timestamptz') created!: Date;
  @VersionColumn() version!: number;
  /** Made by the database: what a search for readers looks in. */
  @Column({ type: 'text', name: 'search_text', select: false, insert: false, update: false })
  searchText!: string;
  /** Made by the database: what a search of the queue looks in. */
  @Column({ type: 'text', name: 'plain_name', select: false, insert: false, update: false })
  plainName!: string;
}

/** A one-time link that was mailed; of its token there is only a digest. */
@Entity('account_token')
export class AccountTokenEntity {
  @PrimaryColumn('text') digest!: string;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
  @Column('text') purpose!: 'confirm-email' | 'reset-password' | 'invitation';
  @Column('timestamptz') expires!: Date;
  @Column('timestamptz') created!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
}

/** Which roles an account was given and lost, and by whom. It outlives both accounts. */
@Entity('role_change')
export class RoleChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id!: string;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
  @Column('uuid', { name: 'changed_by' }) changedById!: string;
  @Column('text', { array: true }) given!: string[];
  @Column('text', { array: true }) taken!: string[];
  @Column('timestamptz') at!: Date;

  /** None where that account is gone, or the command line did it. */
  @ManyToOne(() => AccountEntity, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'changed_by' })
  changedBy?: AccountEntity | null;
}
