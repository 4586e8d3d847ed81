import { foldText } from '#contracts/fold-text.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { GeneratedCatalogue } from '../embedded/generate/generated-books.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const TITLES = 20_000;

/**
 * Fills the read model with borrows of three years as the projection would have written them, many for popular titles and
 * for diligent readers. They belong to readers made for them, and to one who has a number of their own.
 * @param diligent the pseudonym of a reader of whom `ofDiligent` borrows are
 */
export async function writeBorrows(
  database: Database,
  count: number,
  readers: number,
  diligent: { pseudonym: string; borrows: number },
): Promise<void> {
  const catalogue = new GeneratedCatalogue(1, TITLES);
  const titles = Array.from({ length: TITLES }, () => catalogue.next().title);
  const names = catalogue.authors.slice(0, 4000);
  await inTransaction(database, async (connection) => {
    await connection.query('select setseed(0.5)');
    await connection.query(
      `create temporary table some_title on commit drop as
       select n::integer, title, folded from unnest($1::text[], $2::text[]) with ordinality t (title, folded, n)`,
      [titles, titles.map(foldText)],
    );
    await connection.query('create index on some_title (n)');
    await connection.query(
      `insert into account (id, username, name_key, email, password_hash, firstname, lastname, date_of_birth, gender, country, city,
         adress, postal_code, email_confirmed)
       select gen_random_uuid(), 'reader-' || n, 'reader-' || n, 'reader-' || n || '@lectern.example', 'none', f[1 + n % cardinality(f)],
         l[1 + (n * 7919) % cardinality(l)], '1984-11-10', 'Female', 'Poland', 'Warszawa', 'ul. Koszykowa 26', '00-553', true
       from generate_series(1, $3::integer) n, (select $1::text[] as f, $2::text[] as l) names`,
      [names.map(({ firstname }) => firstname), names.map(({ lastname }) => lastname), readers],
    );
    await connection.query(
      `create temporary table some_reader on commit drop as
       select row_number() over (order by username)::integer as n, pseudonym from account where username like 'reader-%'`,
    );
    await connection.query('create index on some_reader (n); analyze some_reader; analyze some_title');
    await connection.query(
      `with drawn as materialized (
         select n, 1 + floor(${readers} * power(random(), 1.5))::integer as reader,
           1 + floor(${TITLES} * power(random(), 2))::integer as one,
           1 + floor(${TITLES} * power(random(), 2))::integer as other, random() < 0.4 as two,
           now() - interval '3 years' * (1 - n::float8 / $1) as rented_at,
           case when n < $1 * 0.985 then case when random() < 0.93 then 'Returned' when random() < 0.8 then 'Expired'
                  when random() < 0.6 then 'Not_Paid' else 'Paid' end
                when random() < 0.5 then 'Issued' else 'Rented' end as status
         from generate_series(1, $1::integer) n)
       insert into ${READ_MODEL}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, issued_at, due_date,
         returned_at, expired_at, status, charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
       select gen_random_uuid(), case when drawn.n % $2 = 0 then $3::uuid else r.pseudonym end,
         case when two then jsonb_build_array(jsonb_build_object('bookId', one, 'title', t.title) || happened,
             jsonb_build_object('bookId', other, 'title', o.title) || happened)
           else jsonb_build_array(jsonb_build_object('bookId', one, 'title', t.title) || happened) end,
         case when two then t.folded || E'\\n' || o.folded else t.folded end,
         rented_at, rented_at + interval '3 days',
         case when status not in ('Rented', 'Expired') then rented_at + interval '1 day' end,
         case when status not in ('Rented', 'Expired') then rented_at + interval '15 days' end,
         case when status = 'Returned' then rented_at + interval '1 day' * (2 + drawn.n % 20) end,
         case when status = 'Expired' then rented_at + interval '3 days' end,
         status, case when status in ('Not_Paid', 'Paid') then 350 else 0 end, case when status = 'Paid' then 350 else 0 end,
         0, 0, case when status in ('Issued', 'Not_Paid', 'Paid') then case when two then 2 else 1 end else 0 end,
         case when status = 'Rented' then case when two then 2 else 1 end else 0 end, false, '[]', drawn.n, drawn.n
       from drawn join some_reader r on r.n = reader join some_title t on t.n = one join some_title o on o.n = other
       cross join lateral (select jsonb_strip_nulls(jsonb_build_object(
         'issuedAt', case when status not in ('Rented', 'Expired') then rented_at + interval '1 day' end,
         'returnedAt', case when status = 'Returned' then rented_at + interval '1 day' * (2 + drawn.n % 20) end,
         'notCollectedAt', case when status = 'Expired' then rented_at + interval '3 days' end)) as happened) h
       order by drawn.n`,
      [count, Math.round(count / diligent.borrows), diligent.pseudonym],
    );
    await connection.query(
      `insert into ${READ_MODEL}.borrow_count (status, borrows) select status, count(*) from ${READ_MODEL}.borrow group by status`,
    );
  });
  await database.query(`vacuum (analyze) ${READ_MODEL}.borrow`);
  await database.query('vacuum (analyze) account');
}
