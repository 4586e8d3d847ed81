import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each reader's card, and what librarians have to say to a reader at the desk; `docs/decisions/036-reader-cards.md`. */
export class ReaderCards1763000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- As the cards of libraries have it: a 2 for a reader, twelve digits, and a check digit by Luhn. The twelve are 48 bits
      -- of chance, of which a uuid has its first twelve places.
      create function new_card_number() returns text language plpgsql volatile as $$
      declare
        v_digits text := '2' || lpad(
          ((('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 12))::bit(48)::bigint) % 1000000000000)::text, 12, '0');
        v_sum integer := 0;
        v_digit integer;
      begin
        for v_place in 1..13 loop
          v_digit := substr(v_digits, 14 - v_place, 1)::integer;
          if v_place % 2 = 1 then v_digit := v_digit * 2 - case when v_digit > 4 then 9 else 0 end; end if;
          v_sum := v_sum + v_digit;
        end loop;
        return v_digits || ((10 - v_sum % 10) % 10)::text;
      end $$;

      create table reader_card (
        number text primary key check (number ~ '^2[0-9]{13}$'),
        account_id uuid not null references account on delete cascade,
        issued_at timestamptz not null default now(),
        -- Another card took its place. Its number stays, so that the desk can say so.
        replaced_at timestamptz,
        blocked_at timestamptz
      );
      create unique index reader_card_in_use on reader_card (account_id) where replaced_at is null;
      create index reader_card_of_account on reader_card (account_id);
      create index reader_card_blocked on reader_card (account_id) where replaced_at is null and blocked_at is not null;

      -- Makes out a new card; one that the reader had has been replaced before.
      create function make_out_card(p_account_id uuid) returns text language plpgsql as $$
      declare
        v_number text;
      begin
        loop
          insert into reader_card (number, account_id) values (new_card_number(), p_account_id)
          on conflict (number) do nothing returning number into v_number;
          if v_number is not null then return v_number; end if;
        end loop;
      end $$;

      create function account_gets_card() returns trigger language plpgsql as $$
      begin
        perform make_out_card(new.id);
        return null;
      end $$;
      create trigger gets_card after insert on account for each row execute function account_gets_card();
      select count(make_out_card(id)) from account;

      -- What the librarians want said at the desk when this reader comes, in their own words: never in the event log, and gone
      -- with the account.
      create table reader_notice (
        account_id uuid primary key references account on delete cascade,
        message text not null,
        -- Nothing can be rented by him or handed to him until it is taken away.
        blocks boolean not null,
        written_by uuid references account on delete set null,
        written_at timestamptz not null
      );
      create index reader_notice_by on reader_notice (written_by);
      create index reader_notice_blocks on reader_notice (account_id) where blocks;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
