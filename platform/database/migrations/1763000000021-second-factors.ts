import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SecondFactors1763000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Keys that encrypt what has to be read again, such as the secret of a code app. Each is itself encrypted with a key
      -- that is derived from a setting: another setting encrypts these rows again, and nothing that they encrypted.
      create table data_key (
        id integer generated always as identity primary key,
        wrapped bytea not null,
        created timestamptz not null
      );

      create table totp (
        account_id uuid primary key references account on delete cascade,
        key_id integer not null references data_key,
        secret bytea not null,
        created timestamptz not null,
        -- When its first code was given. Before, it is no second factor.
        confirmed_at timestamptz,
        -- The time step of the newest code that was taken: that code and older ones are refused.
        last_step bigint
      );

      create table recovery_code (
        account_id uuid not null references account on delete cascade,
        digest bytea not null,
        used_at timestamptz,
        primary key (account_id, digest)
      );

      create table passkey (
        -- What the authenticator calls it, as base64url.
        id text primary key,
        account_id uuid not null references account on delete cascade,
        name text not null,
        public_key bytea not null,
        counter bigint not null,
        transports text[] not null,
        created timestamptz not null,
        last_used_at timestamptz
      );
      create index on passkey (account_id);

      -- Something begun that a second call completes: a sign-in, a passkey, a confirmation.
      create table ticket (
        digest bytea primary key,
        purpose text not null,
        -- Nobody's where a passkey is to say who signs in.
        account_id uuid references account on delete cascade,
        -- What a passkey has to sign, once.
        challenge text,
        expires_at timestamptz not null
      );
      create index on ticket (expires_at);
      create index on ticket (account_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
