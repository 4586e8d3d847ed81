import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checkpoints name the log that they are of, and the event that they are at. */
export class LogProof1763000000086 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table if exists read_model_v2.checkpoint add column if not exists last_event uuid,
        add column if not exists last_event_at bigint;
      alter table letters.checkpoint add column log_id uuid, add column last_event uuid,
        add column last_event_at bigint;
      do $$
      declare
        newest name := (select nspname from pg_namespace where nspname in ('read_model', 'read_model_v2')
          order by nspname desc limit 1);
      begin
        execute format('update letters.checkpoint set log_id = (select log_id from %I.checkpoint)', newest);
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
