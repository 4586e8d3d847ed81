import {
  HOLD_ACTIVITIES,
  HOLD_OUTCOMES,
  NO_GENRE,
  type Activity,
  type HoldActivity,
  type HoldOutcome,
} from '#contracts/insight/insight.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import { QUARTER_HOUR, type UtcOffset } from './utc-offsets.js';

/** Some days of the library, as the instants at which they begin and end. */
export interface Span {
  from: string;
  /** The first instant after it. */
  until: string;
}

/** @param to the last day */
export function spanOf({ from, to }: { from: string; to: string }, timeZone: string): Span {
  const instant = (day: string) => new Date(startOfDay(day, timeZone)).toISOString();
  return { from: instant(from), until: instant(addDays(to, 1)) };
}

/**
 * The statements behind the figures. All read the rows of borrows, which `verify` compares with the log: what was undone is not
 * in them. They go through all rows: an index for them would cost every event of a borrow a write.
 *
 * Instants are written into the texts, since a cursor takes no parameters. They come from `Date`, never from outside.
 */
const instant = (text: string) => `timestamptz '${new Date(text).toISOString()}'`;

/**
 * Times of books are texts in the rows. By their bytes they are in order, however many decimals their seconds have, against an
 * instant with a whole second; that takes half of the time that reading each as an instant would.
 */
const text = (instantText: string) => `'${new Date(instantText).toISOString()}' collate "C"`;

/** Every book of every borrow that was under way in the span, and some more. */
function booksOf(schema: string, { from, until }: Span): string {
  return `${schema}.borrow b
    cross join lateral jsonb_array_elements(b.books) k
    where b.rented_at < ${instant(until)} and (b.returned_at is null or b.returned_at >= ${instant(from)})`;
}

/** How often each book was handed over in the span, and those that were merged into it since. */
function loans(schema: string, span: Span): string {
  return `select coalesce(m.kept_id, l.book_id) as book_id, max(l.title) as title, sum(l.loans) as loans
    from (
      select (k ->> 'bookId')::integer as book_id, max(k ->> 'title') as title, count(*) as loans
      from ${booksOf(schema, span)}
        and (k ->> 'issuedAt') collate "C" >= ${text(span.from)}
        and (k ->> 'issuedAt') collate "C" < ${text(span.until)}
      group by 1) l
    left join merged_book m on m.id = l.book_id
    group by 1`;
}

/** `bookId`, `title`, `copies`, `loans`, and of all of them `allLoans` and `allTitles`; the most lent first. */
export function titlesStatement(schema: string, span: Span): string {
  return `with loan as (${loans(schema, span)})
    select l.book_id as "bookId", coalesce(b.title, l.title) as title, b.copies_total as copies, l.loans::integer as loans,
      sum(l.loans) over ()::integer as "allLoans", count(*) over ()::integer as "allTitles"
    from loan l left join book b on b.id = l.book_id
    order by l.loans desc, 2, 1`;
}

/** `genreId`, `name`, `titles`, `copies`, `loans`, and of all of them `allLoans` and `allGenres`; the most lent first. */
export function genresStatement(schema: string, span: Span): string {
  return `with loan as materialized (${loans(schema, span)}),
    lent as (
      select coalesce(g.genre_id, ${NO_GENRE}) as genre_id, sum(l.loans) as loans
      from loan l left join book_genre g on g.book_id = l.book_id group by 1),
    stock as (
      select coalesce(g.genre_id, ${NO_GENRE}) as genre_id, count(*) as titles, sum(b.copies_total) as copies
      from book b left join book_genre g on g.book_id = b.id group by 1),
    named as (select id, name from genre union all select ${NO_GENRE}, '')
    select n.id as "genreId", n.name, coalesce(s.titles, 0)::integer as titles, coalesce(s.copies, 0)::integer as copies,
      coalesce(l.loans, 0)::integer as loans, coalesce((select sum(loans) from loan), 0)::integer as "allLoans",
      count(*) over ()::integer as "allGenres"
    from named n left join stock s on s.genre_id = n.id left join lent l on l.genre_id = n.id
    order by 5 desc, 2, 1`;
}

/** `bookId`, `title`, `copies`, `addedAt`, `lastLoan`, and of all of them `allTitles` and `allCopies`; the longest idle first. */
export function idleStatement(schema: string, { from, until }: Span): string {
  return `with by_number as (
      select (k ->> 'bookId')::integer as book_id, max((k ->> 'issuedAt') collate "C") as last_loan,
        bool_or((k ->> 'returnedAt') is null or (k ->> 'returnedAt') collate "C" >= ${text(from)}) as was_out
      from ${schema}.borrow b cross join lateral jsonb_array_elements(b.books) k
      where b.rented_at < ${instant(until)} and (k ->> 'issuedAt') collate "C" < ${text(until)}
      group by 1),
    lent as (
      select coalesce(m.kept_id, n.book_id) as book_id, max(n.last_loan) as last_loan, bool_or(n.was_out) as was_out
      from by_number n left join merged_book m on m.id = n.book_id group by 1)
    select b.id as "bookId", b.title, b.copies_total as copies, b.created as "addedAt", l.last_loan as "lastLoan",
      count(*) over ()::integer as "allTitles", sum(b.copies_total) over ()::integer as "allCopies"
    from book b left join lent l on l.book_id = b.id
    where b.copies_total > 0 and b.created < ${instant(from)} and not coalesce(l.was_out, false)
    order by l.last_loan nulls first, b.title, b.id`;
}

/** When each of these happened to a hold; null where it did not. */
const OUTCOME_TIMES: Record<HoldOutcome, string> = {
  Reserved: 'h.placed_at',
  Cancelled: `case when h.ended_as = 'cancelled' then h.ended_at end`,
  NotCollected: `case when h.ended_as = 'lapsed' then h.ended_at end`,
  NotNeeded: `case when h.ended_as = 'not-needed' then h.ended_at end`,
};

/** A copy that is bound is not ready before its reader's stream says so. */
const WAITS = `h.state in ('waiting', 'paused', 'bound')`;

const isIn = (at: string, { from, until }: Span) => `${at} >= ${instant(from)} and ${at} < ${instant(until)}`;

/**
 * Every title that somebody waits for, or for which something happened to a hold in the span: `bookId`, `title`, `kind`, `copies`,
 * `waiting`, `paused`, `firstSince`, and the outcomes.
 */
export function wantedStatement(span: Span): string {
  const outcomes = HOLD_OUTCOMES.map(
    (outcome) => `(count(*) filter (where ${isIn(OUTCOME_TIMES[outcome], span)}))::integer as "${outcome}"`,
  );
  return `with wanted as (
      select h.book_id, max(h.title) as title, (count(*) filter (where ${WAITS}))::integer as waiting,
        (count(*) filter (where h.state = 'paused'))::integer as paused,
        (array_agg(h.placed_at order by h.rank) filter (where ${WAITS}))[1] as first_since, ${outcomes.join(', ')}
      from hold h
      where ${WAITS} or ${isIn('h.placed_at', span)} or ${isIn('h.ended_at', span)}
      group by 1)
    select w.book_id as "bookId", coalesce(b.title, w.title) as title, coalesce(b.kind, 'loanable') as kind,
      case when b.kind = 'reading-room' then 0 else coalesce(b.copies_total, 0) end as copies, w.waiting, w.paused,
      w.first_since as "firstSince", ${HOLD_OUTCOMES.map((outcome) => `w."${outcome}"`).join(', ')}
    from wanted w left join book b on b.id = w.book_id`;
}

/** Every thing that happened to a hold, as `activities` says of books. */
function holdActivities(span: Span, what: HoldActivity): string {
  const outcome = outcomeOf(what);
  const at = OUTCOME_TIMES[outcome];
  return `select null::uuid as borrow_id, h.hold_id, h.book_id, h.title, '${outcome}' as what, ${at} as at
    from hold h where ${what === 'Waiting' ? WAITS : isIn(at, span)}`;
}

/** Every thing that happened to a book in the span: `borrow_id`, `hold_id`, `book_id`, `title`, `what`, `at`. */
function activities(schema: string, span: Span): string {
  return `select b.borrow_id, null::uuid as hold_id, (k ->> 'bookId')::integer as book_id, k ->> 'title' as title, h.what, h.at
    from ${schema}.borrow b
    cross join lateral jsonb_array_elements(b.books) k
    cross join lateral (values
      ('Rented', b.rented_at),
      ('Issued', (k ->> 'issuedAt')::timestamptz),
      -- A book that is lost or damaged did not come back: its loan ended otherwise.
      ('Returned', case when not k ? 'loss' then (k ->> 'returnedAt')::timestamptz end)) h (what, at)
    where not b.undone and b.rented_at < ${instant(span.until)}
      and (b.returned_at is null or b.returned_at >= ${instant(span.from)})
      and h.at >= ${instant(span.from)} and h.at < ${instant(span.until)}`;
}

const quarterOf = (at: string) => `floor(extract(epoch from ${at}) / ${QUARTER_HOUR})::integer`;

/** `hour`, `what`, `books`: those that are above none. */
export function hoursStatement(schema: string, span: Span, shifts: readonly UtcOffset[]): string {
  const clock = shifts.map(({ began, ended, ahead }) => `(${began}, ${ended}, ${ahead})`).join(', ');
  return `with by_quarter as (
      select what, ${quarterOf('at')} as quarter, count(*) as books from (${activities(schema, span)}) happened group by 1, 2)
    select mod(floor((q.quarter + c.ahead) / 4.0)::integer, 24) as hour, q.what, sum(q.books)::integer as books
    from by_quarter q join (values ${clock}) c (began, ended, ahead) on q.quarter >= c.began and q.quarter < c.ended
    group by 1, 2 order by 1, 2`;
}

/** Which of the happenings a figure counts. What is undefined does not matter. */
export interface FigureFilter {
  what: Activity | HoldActivity | undefined;
  /** The book, and those that were merged into it. */
  bookIds: readonly number[] | undefined;
  genreId: number | undefined;
  /** Those of the hour that was asked for. */
  quarters: readonly number[] | undefined;
}

/** A page of what a figure counts, the latest first. */
export function activitiesStatement(
  schema: string,
  span: Span,
  { what, bookIds, genreId, quarters }: FigureFilter,
  limit: number,
  offset: number,
): { text: string; values: unknown[] } {
  const values: unknown[] = [limit, offset];
  const value = (given: unknown) => `$${values.push(given)}`;
  const ofHolds = HOLD_ACTIVITIES.find((happening) => happening === what);
  const [book, at] = ofHolds
    ? ['h.book_id', OUTCOME_TIMES[outcomeOf(ofHolds)]]
    : [`(k ->> 'bookId')::integer`, 'h.at'];
  const now = `coalesce((select m.kept_id from merged_book m where m.id = ${book}), ${book})`;
  const wanted = [
    bookIds !== undefined &&
      (ofHolds
        ? `h.book_id = any(${value(bookIds)}::integer[])`
        : // One by one, so that each is looked up by the index.
          `(${bookIds.map((bookId) => `b.books @> ${value(JSON.stringify([{ bookId }]))}::jsonb`).join(' or ')})
          and ${book} = any(${value(bookIds)}::integer[])`),
    what !== undefined && !ofHolds && `h.what = ${value(what)}`,
    genreId !== undefined &&
      (genreId === NO_GENRE
        ? `not exists (select from book_genre g where g.book_id = ${now})`
        : `${now} in (select g.book_id from book_genre g where g.genre_id = ${value(genreId)})`),
    quarters !== undefined && `${quarterOf(at)} = any(${value(quarters)}::integer[])`,
  ].filter((condition) => condition !== false);
  const source = ofHolds ? holdActivities(span, ofHolds) : activities(schema, span);
  const happened = [source, ...wanted].join(' and ');
  return {
    text: `with happened as materialized (${happened}),
      page as (select * from happened order by at desc, borrow_id, hold_id, book_id, what limit $1 offset $2)
      select t.total, p.at, p.what, p.borrow_id as "borrowId", p.hold_id as "holdId", p.book_id as "bookId", p.title
      from (select count(*)::integer as total from happened) t left join page p on true
      order by p.at desc, p.borrow_id, p.hold_id, p.book_id, p.what`,
    values,
  };
}

const outcomeOf = (what: HoldActivity): HoldOutcome => (what === 'Waiting' ? 'Reserved' : what);
