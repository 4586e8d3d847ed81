import type { Queryable } from '#platform/database/database.js';

/** What is answered of an entry that the catalogue has. */
const VIEWS = {
  author: `'id', id, 'firstname', firstname, 'lastname', lastname`,
  genre: `'id', id, 'name', name`,
  publisher: `'id', id, 'name', name`,
};

export interface KnownAuthorities {
  author: { id: number; firstname: string; lastname: string };
  genre: { id: number; name: string };
  publisher: { id: number; name: string };
}

/**
 * The entries of the catalogue that have these names, whatever their case and accents.
 * @param names authors as first name, blank, last name
 * @returns for each name its entry as the catalogue writes it, or null
 */
export async function knownAuthorities<Table extends keyof KnownAuthorities>(
  database: Queryable,
  table: Table,
  names: readonly string[],
): Promise<(KnownAuthorities[Table] | null)[]> {
  const { rows } = await database.query<{ entry: KnownAuthorities[Table] | null }>(
    `select (
       select json_build_object(${VIEWS[table]}) from ${table}
       where folded = fold_name(given.name) order by id limit 1) as entry
     from unnest($1::text[]) with ordinality given (name, place) order by given.place`,
    [names],
  );
  return rows.map(({ entry }) => entry);
}
