import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditLooks1763000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Who looked at whose history. Rows are only ever added: there is one for each kind of look by the same
      -- person at the same reader in a window of time, so that many looks in a row are one. No foreign keys, as
      -- what was looked at stays recorded when an account goes; no names, as ids say whom it was about.
      create table audit_look (
        id bigint generated always as identity primary key,
        at timestamptz not null,
        auditor_id uuid not null,
        reader_id uuid not null,
        kind text not null,
        -- Ids, revisions and instants that were asked for; never personal data.
        parameters jsonb not null,
        correlation_id text not null,
        window_start timestamptz not null,
        unique (auditor_id, reader_id, kind, window_start)
      );
      create index on audit_look (at desc, id desc);
      create index on audit_look (reader_id, at desc, id desc);

      create function refuse_changing_looks() returns trigger language plpgsql as $$
      begin
        raise exception 'audit_look is only ever added to: % is refused', lower(tg_op) using errcode = 'LB010';
      end $$;
      create trigger audit_look_is_kept before update or delete on audit_look
        for each row execute function refuse_changing_looks();
      create trigger audit_look_is_not_emptied before truncate on audit_look
        for each statement execute function refuse_changing_looks();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
