import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1763000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Who is signed in, and where. A session that has ended has no row.
      create table session (
        id uuid primary key,
        account_id uuid not null references account on delete cascade,
        created timestamptz not null,
        -- Written at most once a minute.
        last_used timestamptz not null,
        -- The end in any case, however much it is used.
        expires timestamptz not null,
        -- What its owner recognizes it by: "Firefox on Windows".
        device text not null,
        -- The network that it was begun from, without the part that names one machine.
        network text not null,
        -- When its owner last proved who he is: by signing in.
        authenticated_at timestamptz not null,
        -- When he last did so again, asked before something dangerous; null: not since he signed in.
        confirmed_at timestamptz,
        -- When he last gave a second factor; null: never in this session.
        second_factor_at timestamptz
      );
      create index on session (account_id, last_used);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
