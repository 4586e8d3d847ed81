import pg from 'pg';

/** The library's database in a data folder. */
export const DATABASE = 'lectern';

/** The role that owns the library's database, and that the product works as. It is no superuser, and makes no roles. */
export const OWNER = 'library';

/** The role that initdb made: PostgreSQL never takes a superuser's rights from the first one. */
export const SUPERUSER = 'lectern';

/** The objects of a database that are the superuser's and not PostgreSQL's own or an extension's: earlier releases made them. */
const TRANSFER = `
do $$
declare
  statement text;
begin
  for statement in
    with mine as (
      select 'pg_namespace'::regclass as class, oid, format('schema %I', nspname) as name from pg_namespace
      where nspowner = 10 and nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
      union all
      select 'pg_class'::regclass, c.oid,
        case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end
          || format(' %I.%I', n.nspname, c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relowner = 10 and c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname !~ '^pg_'
        and n.nspname <> 'information_schema'
        -- The sequence of a column goes with its table.
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0 and d.deptype in ('a', 'i') and c.relkind = 'S')
      union all
      select 'pg_proc'::regclass, p.oid,
        format('routine %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.proowner = 10 and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      union all
      select 'pg_type'::regclass, t.oid, format('type %I.%I', n.nspname, t.typname)
      from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where t.typowner = 10 and (t.typtype in ('e', 'd', 'r') or c.relkind = 'c') and n.nspname !~ '^pg_'
        and n.nspname <> 'information_schema'
      union all
      select 'pg_ts_config'::regclass, t.oid, format('text search configuration %I.%I', n.nspname, t.cfgname)
      from pg_ts_config t join pg_namespace n on n.oid = t.cfgnamespace
      where t.cfgowner = 10 and n.nspname !~ '^pg_'
    )
    select format('alter %s owner to ${OWNER}', name) from mine
    where not exists (select from pg_depend d where d.classid = mine.class and d.objid = mine.oid and d.deptype = 'e')
  loop
    execute statement;
  end loop;
end $$`;

/**
 * Makes the database where it is not there yet, and its owner; what the superuser had in it becomes the owner's.
 * @param urlOf the superuser's address of a database
 * @param password that the owner has from now on
 */
export async function makeOwnedDatabase(
  urlOf: (database: string) => string,
  database: string,
  password: string,
): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await withClient(urlOf('postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    // A statement that fails would be logged with the password in it.
    await client.query("set log_min_error_statement = 'panic'");
    await client.query(
      `${rowCount === 0 ? 'create' : 'alter'} role ${OWNER} login nosuperuser nocreatedb nocreaterole noreplication
         password ${pg.escapeLiteral(password)}`,
    );
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${name} owner ${OWNER}`);
    else await client.query(`alter database ${name} owner to ${OWNER}`);
  });
  await withClient(urlOf(database), (client) => client.query(TRANSFER));
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
