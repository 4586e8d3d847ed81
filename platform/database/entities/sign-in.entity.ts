import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

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
  /** When its owner last proved who they are: by signing in. */
  @Column('timestamptz', { name: 'authenticated_at' }) authenticatedAt!: Date;
  /** When they last did so again, asked before something dangerous. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  /** When they last gave a second factor in this session. */
  @Column('timestamptz', { name: 'second_factor_at', nullable: true }) secondFactorAt!: Date | null;
  /** By which provider it was begun; null where it was begun here. */
  @Column('jsonb', { name: 'sign_on', nullable: true }) signOn!: SignOnOfSession | null;
}

/** What is known of a session that a provider has vouched for. */
export interface SignOnOfSession {
  provider: string;
  /** What the provider calls its session, if it does. */
  sid?: string | undefined;
  /** Where the person is signed out there too, if they can be. */
  logout?: string | undefined;
  /** A second factor was given there, and the library takes its word. */
  mfa?: true | undefined;
}

/** A key that encrypts secrets, itself encrypted with one that is derived from a setting. */
@Entity('data_key')
export class DataKeyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('bytea') wrapped!: Buffer;
  @Column('timestamptz') created!: Date;
}

/** The code app of an account; it has one at most. */
@Entity('totp')
export class TotpEntity {
  @PrimaryColumn('uuid', { name: 'account_id' }) accountId!: string;
  @Column('integer', { name: 'key_id' }) keyId!: number;
  /** Encrypted, and read where it is asked for alone. */
  @Column('bytea', { select: false }) secret!: Buffer;
  @Column('timestamptz') created!: Date;
  /** When its first code was given; before, it is no second factor. */
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  /** The time step of the newest code that was taken. */
  @Column('bigint', { name: 'last_step', nullable: true }) lastStep!: string | null;
}

/** A code for the day when phone and passkeys are gone; of it there is only a digest. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid', { name: 'account_id' }) accountId!: string;
  @PrimaryColumn('bytea') digest!: Buffer;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
}

/** A passkey of an account. */
@Entity('passkey')
export class PasskeyEntity {
  /** What the authenticator calls it, as base64url. */
  @PrimaryColumn('text') id!: string;
  @Column('uuid', { name: 'account_id' }) accountId!: string;
  @Column('text') name!: string;
  @Column('bytea', { name: 'public_key' }) publicKey!: Buffer;
  /** How often the authenticator says it was used; many always say 0. */
  @Column('bigint') counter!: string;
  @Column('text', { array: true }) transports!: string[];
  @Column('timestamptz') created!: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}

/** Something begun that a second call completes; of the ticket's word there is only a digest. */
@Entity('ticket')
export class TicketEntity {
  @PrimaryColumn('bytea') digest!: Buffer;
  @Column('text') purpose!: 'second-factor' | 'passkey-sign-in' | 'new-passkey' | 'confirm';
  /** None where a passkey is to say who signs in. */
  @Column('uuid', { name: 'account_id', nullable: true }) accountId!: string | null;
  /** What a passkey has to sign, once. */
  @Column('text', { nullable: true }) challenge!: string | null;
  /** Of the session that it becomes. */
  @Column('jsonb', { name: 'sign_on', nullable: true }) signOn!: SignOnOfSession | null;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
