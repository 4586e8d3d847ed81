import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stays of a stock-taking that was finished long ago: `docs/decisions/054-closed-stock-takings.md`. */
export class ClosedStockTakings1763000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null while its scans are kept. The figures are those of that moment.
      alter table stock_taking
        add column closed_at timestamptz,
        add column scanned integer,
        add column expected integer,
        add column seen integer,
        add check ((closed_at is null) = (scanned is null)),
        add check ((closed_at is null) = (expected is null)),
        add check ((closed_at is null) = (seen is null)),
        add check (closed_at is null or state = 'finished');
      create index stock_taking_to_close on stock_taking (state_at) where state = 'finished' and closed_at is null;

      -- What it had found and nobody had dealt with by then. What is missing has no code that was scanned.
      create table stock_leftover (
        stock_taking_id uuid not null references stock_taking on delete cascade,
        kind text not null,
        code text,
        book_id integer,
        copy integer,
        shelf_mark text,
        condition text,
        shelf text,
        scanned_at timestamptz
      );
      create index stock_leftover_of_kind on stock_leftover (stock_taking_id, kind);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
