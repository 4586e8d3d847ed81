import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of books that readers keep for themselves, and those that the library shows; `docs/decisions/058-reading-lists.md`. */
export class ReadingLists1763000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table reading_list (
        id uuid primary key,
        -- Whose it is; null for a list of the library.
        account_id uuid references account on delete cascade,
        -- Every reader has one of each, written down when he first puts a book on it.
        standing text check (standing in ('to-read', 'favourites')),
        name text not null,
        folded text collate "C" generated always as (fold_name(name)) stored,
        description text not null,
        -- SHA-256 of the token in the link that opens it; null where it is not shared.
        share_digest bytea unique,
        -- Of the library's lists: where it stands among them, and whether the home page shows it.
        position integer,
        on_home boolean not null,
        version integer not null default 1,
        created_at timestamptz not null,
        changed_at timestamptz not null,
        -- Who of the staff changed a list of the library last.
        changed_by uuid references account on delete set null,
        constraint reading_list_owner check (case
          when account_id is null then standing is null and share_digest is null and position is not null
          else position is null and not on_home and changed_by is null
        end)
      );
      create unique index reading_list_name on reading_list (account_id, folded) where account_id is not null;
      create unique index reading_list_library_name on reading_list (folded) where account_id is null;
      create index reading_list_changed_by on reading_list (changed_by) where changed_by is not null;

      create table reading_list_book (
        list_id uuid not null references reading_list on delete cascade,
        book_id integer not null references book on delete cascade,
        -- Books stand by it, and by their numbers where two have the same; it has gaps.
        place integer not null,
        added_at timestamptz not null,
        primary key (list_id, book_id)
      );
      create index reading_list_book_of on reading_list_book (book_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
