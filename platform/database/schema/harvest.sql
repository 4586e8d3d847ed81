-- What harvesters are told of each book by OAI-PMH: when its record last changed, and that it is gone.

create table harvest_record (
  -- No reference: it outlives the book.
  book_id integer primary key,
  is_deleted boolean not null default false,
  -- The sets that it was in when it was deleted.
  lists uuid[] not null default '{}',
  -- In whole seconds; null until a harvester first asks after the change was committed. The time of the change itself would be
  -- earlier than that of answers which could not have it yet, and whoever asks for what is new since then would never get it.
  stamped_at timestamptz
);
create index harvest_record_stamped_at on harvest_record (stamped_at);
create index harvest_record_unstamped on harvest_record (book_id) where stamped_at is null;

-- Says that the records of these books changed. Written also where they have no stamp: the lock keeps them from being stamped
-- before the change is committed.
create function touch_harvest(p_book_ids integer[]) returns void language sql as $$
  update harvest_record h set stamped_at = null
  from (select book_id from harvest_record where book_id = any(p_book_ids) order by book_id for update) changed
  where h.book_id = changed.book_id and h.xmin <> pg_current_xact_id()::xid
$$;

-- A book that was merged comes back under its number.
create function harvest_books_added() returns trigger language plpgsql as $$
begin
  insert into harvest_record (book_id) select id from added order by id
  on conflict (book_id) do update set is_deleted = false, lists = '{}', stamped_at = null;
  return null;
end $$;
create trigger harvest_added after insert on book
  referencing new table as added for each statement execute function harvest_books_added();

create function harvest_book_deleted() returns trigger language plpgsql as $$
begin
  update harvest_record set is_deleted = true, stamped_at = null, lists = array(
    select l.list_id from reading_list_book l join reading_list r on r.id = l.list_id
    where l.book_id = old.id and r.on_home)
  where book_id = old.id;
  return old;
end $$;
create trigger harvest_deleted before delete on book for each row execute function harvest_book_deleted();

-- What the house has and paid is in no public record.
create function harvest_book_changed() returns trigger language plpgsql as $$
begin
  perform touch_harvest(array[new.id]);
  return null;
end $$;
create trigger harvest_changed after update of isbn, title, original_title, other_titles, description, publisher_id, series,
    volume, published, language on book for each row
  when ((old.isbn, old.title, old.original_title, old.other_titles, old.description, old.publisher_id, old.series, old.volume,
      old.published, old.language)
    is distinct from (new.isbn, new.title, new.original_title, new.other_titles, new.description, new.publisher_id, new.series,
      new.volume, new.published, new.language))
  execute function harvest_book_changed();

create function harvest_part_changed() returns trigger language plpgsql as $$
begin
  perform touch_harvest(array(select distinct book_id from changed));
  return null;
end $$;
create trigger harvest_added after insert on marc_record
  referencing new table as changed for each statement execute function harvest_part_changed();
create trigger harvest_changed after update on marc_record
  referencing new table as changed for each statement execute function harvest_part_changed();
create trigger harvest_removed after delete on marc_record
  referencing old table as changed for each statement execute function harvest_part_changed();

-- The lists that the library shows are sets of its records; those that it keeps for itself are none, nor are those of readers.
create function harvest_list_changed() returns trigger language plpgsql as $$
begin
  perform touch_harvest(array(
    select c.book_id from changed c join reading_list r on r.id = c.list_id where r.on_home));
  return null;
end $$;
create trigger harvest_added after insert on reading_list_book
  referencing new table as changed for each statement execute function harvest_list_changed();
create trigger harvest_removed after delete on reading_list_book
  referencing old table as changed for each statement execute function harvest_list_changed();

create function harvest_list_shown() returns trigger language plpgsql as $$
begin
  perform touch_harvest(array(select book_id from reading_list_book where list_id = old.id));
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger harvest_deleted before delete on reading_list for each row when (old.on_home)
  execute function harvest_list_shown();
create trigger harvest_shown after update of on_home on reading_list for each row when (old.on_home <> new.on_home)
  execute function harvest_list_shown();
