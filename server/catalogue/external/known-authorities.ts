import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';

const SAME_NAME = 'folded = fold_name(given.name)';
const named = {
  same: SAME_NAME,
  view: `'id', id, 'name', name`,
  row: rowOf(z.object({ id: z.int(), name: z.string() })),
};

/** What is answered of an authority that the catalogue has. */
const VIEWS = {
  author: {
    // As the import takes two names for one person's.
    same: `(${SAME_NAME} or likeness = author_likeness('', given.name)
      and author_key(firstname || ' ' || lastname) = author_key(given.name))`,
    view: `'id', id, 'firstname', firstname, 'lastname', lastname`,
    row: rowOf(z.object({ id: z.int(), firstname: z.string(), lastname: z.string() })),
  },
  genre: named,
  publisher: named,
};

function rowOf<View extends z.ZodType>(view: View) {
  return z.object({ known: view.nullable() });
}

/**
 * The authorities that have these names, whatever their case and accents.
 * @param names authors as first name, blank, last name
 * @returns for each name its authority as the catalogue writes it, or null
 */
export async function knownAuthorities<Name extends keyof typeof VIEWS>(
  database: Queryable,
  name: Name,
  names: readonly string[],
): Promise<z.output<(typeof VIEWS)[Name]['row']>['known'][]> {
  const { same, view, row } = VIEWS[name];
  const rows = await queryRows(
    database,
    row,
    `select (
       select json_build_object(${view}) from ${name}
       where ${same} order by ${SAME_NAME} desc, id limit 1) as known
     from unnest($1::text[]) with ordinality given (name, place) order by given.place`,
    [names],
  );
  return rows.map(({ known }) => known);
}
