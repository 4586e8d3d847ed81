import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1763000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account (
        id uuid primary key,
        username text not null,
        email text not null,
        password_hash text not null,
        firstname text not null,
        lastname text not null,
        fullname text generated always as (firstname || ' ' || lastname) stored,
        date_of_birth date not null,
        gender text not null,
        country text not null,
        city text not null,
        adress text not null,
        postal_code text not null,
        roles text[] not null default '{Reader}',
        email_confirmed boolean not null default false,
        -- Tokens of an earlier session number are refused.
        session integer not null default 1,
        created timestamptz not null default now(),
        version integer not null default 1
      );
      create unique index account_username on account (lower(username));
      create unique index account_email on account (lower(email));
      create index on account using gin (fullname gin_trgm_ops);

      -- One-time links; only a digest of the token is kept.
      create table account_token (
        digest text primary key,
        account_id uuid not null references account on delete cascade,
        purpose text not null,
        expires timestamptz not null,
        created timestamptz not null default now()
      );
      create index on account_token (account_id, purpose);

      -- What a committed transaction wants done by a job. Taken from here into the queue, once.
      create table outbox (
        id bigint generated always as identity primary key,
        queue text not null,
        job text not null,
        data jsonb not null,
        created timestamptz not null default now()
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
