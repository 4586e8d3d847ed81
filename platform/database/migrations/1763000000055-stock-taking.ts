import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stock-takings, what was scanned in each, and what became of what they found; `docs/decisions/040-stock-taking.md`. */
export class StockTaking1763000000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A shelf mark as it sorts: letters alike in either case, numbers by their value ("A 3" before "A 12").
      create function shelf_key(p_mark text) returns text language sql immutable strict parallel safe as $$
        select regexp_replace(
          regexp_replace(lower(p_mark), '(\\d+)', '000000000\\1', 'g'), '\\d*(\\d{10})(?!\\d)', '\\1', 'g') collate "C"
      $$;

      -- Whether a mark stands on a shelf: "A 3 POL/12" does on "A 3" and on "A", and "A 31" or "AB" do not.
      create function shelf_holds(p_shelf text, p_mark text) returns boolean language sql immutable strict parallel safe as $$
        select left(shelf_key(p_mark), length(shelf_key(p_shelf))) = shelf_key(p_shelf)
          and not (shelf_key(p_shelf) ~ '[[:alpha:]]$'
            and substr(shelf_key(p_mark), length(shelf_key(p_shelf)) + 1, 1) ~ '[[:alpha:]]')
      $$;

      create index copy_shelf on copy (shelf_key(shelf_mark)) where shelf_mark is not null;

      create table stock_taking (
        id uuid primary key,
        name text not null,
        -- The first and the last of its shelves, with all that stands on them; both null for the whole house.
        shelf_from text,
        shelf_until text check ((shelf_from is null) = (shelf_until is null)),
        state text not null check (state in ('open', 'paused', 'finished')),
        started_by uuid references account on delete set null,
        started_at timestamptz not null,
        state_at timestamptz not null
      );
      create index stock_taking_started_at on stock_taking (started_at desc);
      create index stock_taking_started_by on stock_taking (started_by);

      -- Each code once, at the shelf where it was seen last. What is no code of a copy has neither book nor copy.
      create table stock_scan (
        stock_taking_id uuid not null references stock_taking on delete cascade,
        code text not null,
        book_id integer,
        copy integer,
        shelf text,
        scanned_by uuid references account on delete set null,
        scanned_at timestamptz not null,
        primary key (stock_taking_id, code)
      );
      create unique index stock_scan_copy on stock_scan (stock_taking_id, book_id, copy) where book_id is not null;
      create index stock_scan_scanned_by on stock_scan (scanned_by);

      -- What was done about a finding, and what the copy was before, so that it can be undone.
      create table stock_resolution (
        stock_taking_id uuid not null references stock_taking on delete cascade,
        code text not null,
        book_id integer,
        copy integer,
        kind text not null,
        action text not null check (action in ('lost', 'move', 'bring-back', 'leave')),
        -- Those that were resolved together.
        batch uuid not null,
        condition_before text,
        mark_before text,
        -- Of the copy's last event before; the next one is the resolution's own.
        revision_before bigint,
        resolved_by uuid references account on delete set null,
        resolved_at timestamptz not null,
        primary key (stock_taking_id, code)
      );
      create index stock_resolution_batch on stock_resolution (batch);
      create index stock_resolution_resolved_by on stock_resolution (resolved_by);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
