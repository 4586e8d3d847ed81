import { z } from 'zod';
import { MAX_MEMBERS, type DuplicateReason } from '#contracts/catalogue/duplicate.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import { foldText } from '#contracts/fold-text.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

/** Some records with one likeness. */
export interface Proposal {
  /** What the proposals are walked along by. */
  at: string;
  reason: DuplicateReason;
  sure: boolean;
  ids: readonly number[];
}

/** A batch of proposals after a place, in the order of their places; undefined `next` after the last one. */
export interface ProposalBatch {
  proposals: Proposal[];
  next: string | undefined;
}

/** Likenesses that are looked at in one statement. */
const AT_ONCE = 100;

const likeRow = z.object({ at: z.string(), ids: z.array(z.int()), names: z.array(z.string()) });
const titleRow = z.object({ at: z.string() });
const editionsRow = z.object({ at: z.string(), ids: z.array(z.int()), years: z.int() });
const idsRow = z.object({ ids: z.array(z.int()) });

const NAMES = {
  author: `btrim(firstname || ' ' || lastname)`,
  genre: 'name',
  publisher: 'name',
} as const;

/** What may be the same, from a place on. The database groups by an indexed key; nothing is compared with everything. */
export function proposalsAfter(database: Queryable, kind: MergeKind, after: string): Promise<ProposalBatch> {
  return kind === 'book' ? alikeBooks(database, after) : alikeAuthorities(database, kind, after);
}

async function alikeAuthorities(
  database: Queryable,
  kind: Exclude<MergeKind, 'book'>,
  after: string,
): Promise<ProposalBatch> {
  const rows = await queryRows(
    database,
    likeRow,
    `with alike as (
       select likeness from ${kind} where likeness > $1 group by likeness having count(*) > 1 order by likeness limit ${AT_ONCE})
     select l.likeness as at, (array_agg(id order by id))[:${MAX_MEMBERS}] as ids,
       (array_agg(${NAMES[kind]} order by id))[:${MAX_MEMBERS}] as names
     from alike l join ${kind} a on a.likeness = l.likeness group by l.likeness order by l.likeness`,
    [after],
  );
  return {
    proposals: rows.map(({ at, ids, names }) => ({ at, ids, reason: reasonOf(kind, names), sure: true })),
    next: rows.length < AT_ONCE ? undefined : rows.at(-1)?.at,
  };
}

/** Why names of one likeness differ, where it is more than their spelling. */
const FURTHER: Readonly<Record<Exclude<MergeKind, 'book'>, DuplicateReason>> = {
  author: 'order',
  genre: 'plural',
  publisher: 'company',
};

function reasonOf(kind: Exclude<MergeKind, 'book'>, names: readonly string[]): DuplicateReason {
  const letters = new Set(names.map((name) => foldText(name).replace(/[^\p{L}\p{N}]/gu, '')));
  return letters.size === 1 ? 'spelling' : FURTHER[kind];
}

/** Those of one ISBN come with the first titles: once they are merged, the next ones do. */
async function alikeBooks(database: Queryable, after: string): Promise<ProposalBatch> {
  const titles = await queryRows(
    database,
    titleRow,
    `select title_start as at from book_search where title_start > $1
     group by title_start having count(*) > 1 order by title_start limit ${AT_ONCE}`,
    [after],
  );
  const byTitle = await queryRows(
    database,
    editionsRow,
    `select s.title_start as at, (array_agg(distinct b.id))[:${MAX_MEMBERS}] as ids,
       count(distinct coalesce(extract(year from b.publication_date), 0))::integer as years
     from book_search s join book b on b.id = s.book_id
     join book_author l on l.book_id = b.id join author a on a.id = l.author_id
     where s.title_start = any($1::text[])
     group by s.title_start, a.likeness
     having count(distinct b.id) > 1 and count(distinct b.volume) < 2 and count(distinct b.language) < 2
     order by s.title_start`,
    [titles.map(({ at }) => at)],
  );
  const ofTitles = byTitle.map(({ at, ids, years }): Proposal => ({
    ...{ at, ids },
    ...(years === 1 ? { reason: 'title', sure: true } : { reason: 'edition', sure: false }),
  }));
  const proposals = [...(after === '' ? await ofOneIsbn(database) : []), ...ofTitles];
  const seen = new Set<string>();
  return {
    // Two authors in common make one proposal.
    proposals: proposals.filter(({ ids }) => !seen.has(ids.join()) && seen.add(ids.join())),
    next: titles.length < AT_ONCE ? undefined : titles.at(-1)?.at,
  };
}

async function ofOneIsbn(database: Queryable): Promise<Proposal[]> {
  const rows = await queryRows(
    database,
    idsRow,
    `select array[least(short.id, long.id), greatest(short.id, long.id)] as ids
     from book short join book long on long.isbn = substr((search_other_isbn(short.isbn))[2], 2)
     where length(short.isbn) = 10 order by 1 limit ${AT_ONCE}`,
  );
  return rows.map(({ ids }) => ({ at: '', ids, reason: 'isbn', sure: true }));
}
