import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Payments1763000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The ledger of online payments (docs/decisions/007-payments.md). Amounts are in grosze. It carries ids, never
      -- a name or a card: those are the provider's.
      create table payment_transaction (
        id uuid primary key,
        borrow_id uuid not null,
        reader_id uuid not null,
        amount integer not null check (amount > 0),
        currency text not null default 'PLN' check (currency = 'PLN'),
        provider text not null,
        -- What the provider calls it; none until it has answered.
        provider_reference text,
        -- open: may be paid. paid: the provider has the money and FinePaid is stored. refunding, refunded: it had the
        -- money, but nothing was owed any more. refused: declined. expired: never paid. failed: never offered.
        status text not null check (status in ('open', 'paid', 'refunding', 'refunded', 'refused', 'expired', 'failed')),
        -- Where FinePaid is in the log.
        log_position bigint,
        created timestamptz not null,
        updated timestamptz not null,
        check ((status = 'paid') = (log_position is not null)),
        unique (provider, provider_reference)
      );
      -- A fee has one payment under way, however many tabs ask for one.
      create unique index on payment_transaction (borrow_id, provider) where status = 'open';
      create index on payment_transaction (provider, id) where status in ('open', 'refunding');
      create index on payment_transaction (borrow_id);

      -- The books of the sandbox provider, which stands in where no real one is set. The ledger above never looks
      -- into them: it asks the provider.
      create table sandbox_payment (
        -- Opens the page: cannot be guessed.
        reference text primary key,
        transaction_id uuid not null unique,
        amount integer not null check (amount > 0),
        titles jsonb not null,
        status text not null check (status in ('open', 'paid', 'refused', 'expired')),
        created timestamptz not null,
        expires timestamptz not null,
        charged_at timestamptz,
        refunded_at timestamptz,
        check ((status = 'paid') = (charged_at is not null)),
        check (refunded_at is null or charged_at is not null)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
