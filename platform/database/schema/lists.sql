-- Lists of books that readers keep for themselves, those that the library shows (docs/decisions/039-reading-lists.md), and
-- what stands beside each other on the home page and below a book, filled every hour (docs/decisions/038-shelves.md).

create table reading_list (
  id uuid primary key,
  -- Whose it is; null for a list of the library.
  account_id uuid references account on delete cascade,
  -- Every reader has one of each, written down when they first put a book on it.
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
