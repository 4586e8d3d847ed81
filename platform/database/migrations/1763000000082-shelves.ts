import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stands beside each other on the home page and below a book, filled every hour; `docs/decisions/060-shelves.md`. */
export class Shelves1763000000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table home_shelf (
        place smallint primary key,
        -- Null for what was much read this month.
        genre_id integer references genre on delete cascade,
        -- Those that leave the catalogue are left out when the shelf is shown.
        books integer[] not null check (cardinality(books) > 0)
      );

      create table also_borrowed (
        book_id integer primary key references book on delete cascade,
        -- The most telling first; each was borrowed by at least five readers of the book. How many is not kept.
        others integer[] not null check (cardinality(others) > 0)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
