import pg from 'pg';

/** The library's database in a data folder. */
export const DATABASE = 'lectern';

/** The role that owns the library's database, and that the product works as. It is no superuser, and makes no roles. */
export const OWNER = 'library';

/** The role that initdb made: PostgreSQL never takes a superuser's rights from the first one. */
export const SUPERUSER = 'lectern';

/**
 * Makes the database where it is not there yet, and its owner.
 * @param adminUrl the superuser's address of the database `postgres`
 * @param password that the owner has from now on
 */
export async function makeOwnedDatabase(adminUrl: string, database: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    // A statement that fails would be logged with the password in it.
    await client.query("set log_min_error_statement = 'panic'");
    await client.query(
      `${rowCount === 0 ? 'create' : 'alter'} role ${OWNER} login nosuperuser nocreatedb nocreaterole noreplication
         password ${pg.escapeLiteral(password)}`,
    );
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0)
      await client.query(`create database ${pg.escapeIdentifier(database)} owner ${OWNER}`);
  } finally {
    await client.end();
  }
}
