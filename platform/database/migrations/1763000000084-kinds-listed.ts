import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of one kind find the few readers and books that are not of the usual one. */
export class KindsListed1763000000084 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index account_kind on account (kind) where kind <> 'adult';
      create index book_kind on book (kind) where kind <> 'loanable';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
