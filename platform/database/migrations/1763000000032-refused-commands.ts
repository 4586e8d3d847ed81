import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RefusedCommands1763000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Commands with an Idempotency-Key that a rule refused: a repeat gets the same answer for a day. It names nobody:
      -- the id is a hash of who sent it and of the key, and the sentence holds titles and numbers.
      create table refused_command (
        command_id uuid primary key,
        -- A row without a code is not an answer yet: somebody is about to refuse, and reads the log once more first.
        announcement uuid not null,
        digest text,
        code text,
        detail text,
        announced_at timestamptz not null,
        check (num_nulls(digest, code, detail) in (0, 3))
      );
      create index on refused_command (announced_at);

      -- One of two attempts at a command waits here for the other, until the transaction ends.
      create function lock_command(p_command_id uuid) returns void language sql as $$
        select pg_advisory_xact_lock(hashtextextended(p_command_id::text, 32))
      $$;

      -- A refusal is announced before the log is read for the last time. Returns the row as it is: perhaps that of another
      -- attempt, perhaps final. Rows of p_since and before no longer count.
      create function announce_refusal(p_command_id uuid, p_announcement uuid, p_at timestamptz, p_since timestamptz)
      returns setof refused_command language plpgsql as $$
      begin
        delete from refused_command where command_id = p_command_id and announced_at <= p_since;
        insert into refused_command (command_id, announcement, announced_at)
          values (p_command_id, p_announcement, p_at) on conflict do nothing;
        return query select * from refused_command where command_id = p_command_id;
      end $$;

      -- Before a command is accepted: withdraws the announcement of another attempt, and returns a refusal that is final.
      create function admit_command(p_command_id uuid, p_since timestamptz)
      returns setof refused_command language plpgsql as $$
      begin
        delete from refused_command where command_id = p_command_id and (code is null or announced_at <= p_since);
        return query select * from refused_command where command_id = p_command_id and code is not null;
      end $$;

      -- As take_copies of three parameters, for a rent that may be sent again by its key: also in parallel, as the attempts
      -- share their copies. p_command_id is null for a rent without a key.
      create function take_copies(
        p_borrow_id uuid, p_reader_id uuid, p_book_ids integer[], p_command_id uuid, p_since timestamptz
      ) returns table (book_id integer, title text) language plpgsql as $$
      begin
        if p_command_id is not null then
          perform lock_command(p_command_id);
          if exists (select from admit_command(p_command_id, p_since)) then
            raise exception 'this rent was refused before' using errcode = 'LB005';
          end if;
          if exists (
            select from copy_allocation h where h.borrow_id = p_borrow_id and h.state = 'pending'
            having array_agg(h.book_id order by h.book_id) <>
              (select array_agg(w.book_id order by w.book_id) from unnest(p_book_ids) w(book_id))
          ) then
            raise exception 'this rent holds other books' using errcode = 'LB006';
          end if;
        end if;
        return query select * from take_copies(p_borrow_id, p_reader_id, p_book_ids);
      end $$;

      -- Puts the copies of a refused rent back, as if they had never been taken: the rent may be tried again. Those of a rent
      -- that was stored stay as they are.
      create function give_up_copies(p_borrow_id uuid) returns void language plpgsql as $$
      begin
        perform 1 from book b
          where b.id in (select h.book_id from copy_allocation h where h.borrow_id = p_borrow_id and h.state = 'pending')
          order by b.id for no key update;
        with gone as (
          delete from copy_allocation h where h.borrow_id = p_borrow_id and h.state = 'pending' returning h.book_id
        )
        update book b set copies_available = b.copies_available + 1 from gone g where b.id = g.book_id;
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
