import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a reader and a book are to the rules; `docs/decisions/050-kinds.md`. Where nobody says it, it is the first. */
export class Kinds1763000000059 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table account add column kind text not null default 'adult' check (kind in ('adult', 'child', 'staff'));
      alter table book add column kind text not null default 'loanable'
        check (kind in ('loanable', 'short-loan', 'reading-room'));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
