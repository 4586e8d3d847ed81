import type { Database } from '#platform/database/database.js';

/** Adds a row as an import does: with what is given alone. Gives its id. */
export async function addRow(
  database: Database,
  table: 'author' | 'genre' | 'publisher',
  values: Record<string, unknown>,
): Promise<number> {
  const columns = Object.keys(values);
  const { rows } = await database.query<{ id: number }>(
    `insert into ${table} (${columns.join()}) values (${columns.map((_, at) => `$${at + 1}`).join()}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? -1;
}
