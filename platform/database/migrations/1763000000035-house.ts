import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of the house: which processes run, how each part does and since when, and the backups made on a schedule. */
export class House1763000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A row for what each process does; it takes the row away when it ends, and one that was killed leaves it to age.
      create table process_heartbeat (
        process uuid not null,
        kind text not null check (kind in ('server', 'projections', 'worker')),
        host text not null,
        pid integer not null,
        version text not null,
        node text not null,
        started timestamptz not null,
        seen timestamptz not null,
        -- What its probes found, by their names, and what it knows besides: no addresses, no words of errors.
        checks jsonb not null,
        facts jsonb not null,
        primary key (process, kind)
      );

      -- How each part does, as one of the processes concludes from all heartbeats.
      create table part_state (
        part text primary key,
        level text not null check (level in ('ok', 'warning', 'bad')),
        reason text,
        facts jsonb not null,
        since timestamptz not null,
        -- When it was last looked at.
        seen timestamptz not null,
        -- From its first red moment until it has been well for a while.
        incident jsonb,
        -- A letter about it that waits for the mail server.
        owed jsonb,
        -- When letters about its going red were sent, of the last day.
        told timestamptz[] not null default '{}'
      );

      -- Backups made by the product itself, and those asked for.
      create table backup_run (
        id uuid primary key,
        -- When it was asked for, or begun by the schedule.
        at timestamptz not null,
        ended timestamptz,
        scheduled boolean not null,
        state text not null check (state in ('asked', 'running', 'good', 'failed')),
        step text check (step in ('copying', 'restoring', 'comparing')),
        done bigint not null default 0,
        -- Its name in the folder for backups.
        name text,
        bytes bigint,
        events bigint,
        differences integer,
        failure text,
        check ((state in ('good', 'failed')) = (ended is not null))
      );
      -- One at a time.
      create unique index on backup_run ((true)) where state in ('asked', 'running');
      create index on backup_run (at desc);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
