import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Followers of the event log run in processes of their own: what keeps one from its work is told here. */
export class FollowerState1763000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A row for each follower that does not get on. The one that is at work takes its row away.
      create table follower_state (
        name text primary key,
        state text not null check (state in ('retrying', 'stopped')),
        since timestamptz not null,
        reason text not null,
        stream text,
        revision bigint,
        position bigint,
        type text
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
