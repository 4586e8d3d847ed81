import type { Queryable } from '#platform/database/database.js';

/**
 * The ids of names that the catalogue has, whatever their case and accents.
 * @param names authors as first name, blank, last name
 * @returns for each name its id, or null
 */
export async function knownNames(
  database: Queryable,
  table: 'author' | 'genre' | 'publisher',
  names: readonly string[],
): Promise<(number | null)[]> {
  const { rows } = await database.query<{ id: number | null }>(
    `select (select min(t.id) from ${table} t where t.folded = fold_name(given.name)) as id
     from unnest($1::text[]) with ordinality given (name, place) order by given.place`,
    [names],
  );
  return rows.map(({ id }) => id);
}
