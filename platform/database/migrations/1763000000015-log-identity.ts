import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rows are stamped with the identity of the event log that they were made of. */
export class LogIdentity1763000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table read_model.checkpoint add column log_id uuid');
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
