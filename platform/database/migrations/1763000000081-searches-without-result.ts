import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was searched for and not found, without who searched; `docs/decisions/059-merges.md`. */
export class SearchesWithoutResult1763000000081 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table search_without_result (
        -- Of the text, as what was searched for once is counted and not kept.
        digest text primary key,
        -- Null until it was searched for on two occasions.
        text text,
        times integer not null check (times > 0),
        -- Of those, how often other spellings of its words found something.
        corrected integer not null check (corrected >= 0),
        first_at timestamptz not null,
        last_at timestamptz not null
      );
      create index search_without_result_last_at on search_without_result (last_at);
      create index search_without_result_by_times on search_without_result (times desc, last_at desc, digest)
        where text is not null;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
