import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LettersInBatches1763000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update letters.letter set settled_at = coalesce(claimed_at, caused_at)
        where settled_at is null and state not in ('waiting', 'sending');
      -- What is not settled, oldest first. No column that changes when a letter is claimed is in an index, so a claim
      -- writes the row's page alone.
      create index letter_open on letters.letter (queue, caused_at) where settled_at is null;
      drop index letters.letter_due;
      -- Of fees alone it is asked when the last letter was; rows come in the order of their causes.
      create index letter_fees on letters.letter (borrow_id, caused_at) where kind = 'fee-charged';
      drop index letters.letter_borrow_id_kind_caused_at_idx;
      create index letter_age on letters.letter using brin (caused_at) with (pages_per_range = 16, autosummarize = on);
      drop index letters.letter_caused_at_idx;
      -- Each row is written three times.
      alter table letters.letter set (fillfactor = 60);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
