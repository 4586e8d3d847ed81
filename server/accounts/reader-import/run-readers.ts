import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { foldText } from '#contracts/fold-text.js';
import type { Connection, Database } from '#platform/database/database.js';
import { nameKey } from '#platform/database/entities/account-names.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { WorkOptions } from '../../imports/staged-imports.js';
import { hashPassword } from '../passwords/passwords.js';
import { ACCOUNT_COLUMNS, ACCOUNT_FIELDS, accountOf, knownAccounts } from './known-accounts.js';
import { finishImport, READER_IMPORTS, writeDone, type Done } from './reader-imports.js';
import { runLoanBatch, type TakeOver } from './run-loans.js';

/** Rows of one transaction. */
const BATCH = 250;

const dataSchema = z.partialRecord(z.enum([...ACCOUNT_FIELDS, 'cardNumber', 'username']), z.string());
const rowSchema = z.object({ place: z.int(), account_id: z.string().nullable(), data: dataSchema });
type Row = z.output<typeof rowSchema>;

/**
 * Does what a file says. Readers and memberships are one transaction a batch; loans are known by their ids. So it goes on where it
 * was stopped, and nothing is done twice.
 * @param options whose signal stops it between two batches
 * @returns whether it is done
 */
export async function runReaderImport(
  database: Database,
  id: string,
  takeOver: TakeOver,
  options: WorkOptions = {},
): Promise<boolean> {
  // Nobody knows the password: a letter's link sets the first one.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  const kind = await queryRow(
    database,
    z.object({ kind: z.string() }),
    `select kind from reader_import where id = $1 and state = 'running'`,
    [id],
  );
  if (!kind) return true;
  const isDone = await READER_IMPORTS.inBatches(
    database,
    id,
    'running',
    (connection) =>
      kind.kind === 'loans'
        ? runLoanBatch(database, connection, id, takeOver)
        : runBatch(connection, id, passwordHash),
    options,
  );
  if (isDone) await finishImport(database, id);
  return isDone;
}

async function runBatch(connection: Connection, id: string, passwordHash: string): Promise<number> {
  const rows = await queryRows(
    connection,
    rowSchema,
    `select place, account_id, data from reader_row
     where import_id = $1 and done is null and outcome in ('new', 'changed') order by place limit ${BATCH}`,
    [id],
  );
  const done = [
    ...(await add(
      connection,
      id,
      rows.filter(({ account_id }) => account_id === null),
      passwordHash,
    )),
    ...(await change(
      connection,
      rows.filter(({ account_id }) => account_id !== null),
    )),
  ];
  return writeDone(connection, id, done);
}

const COLUMNS = ACCOUNT_FIELDS.map((field) => ACCOUNT_COLUMNS[field].column);
const GIVEN = ACCOUNT_FIELDS.map(
  (field) => `"${field}" ${field === 'memberUntil' || field === 'dateOfBirth' ? 'date' : 'text'}`,
).join(', ');

async function add(
  connection: Connection,
  importId: string,
  rows: readonly Row[],
  passwordHash: string,
): Promise<Done[]> {
  if (rows.length === 0) return [];
  const known = await knownAccounts(
    connection,
    rows.map(({ data }) => data),
  );
  const isKnown = ({ data }: Row) => {
    const match = accountOf(data, known);
    return known.byCard.has(data.cardNumber ?? '') || ('account' in match && match.account !== undefined);
  };
  const fresh = rows.filter((row) => !isKnown(row));
  const names = await freeUsernames(connection, fresh);
  const named = fresh.flatMap((row, n) => {
    const username = names[n];
    return username === undefined ? [] : [{ row, account: { ...row.data, id: randomUUID(), username } }];
  });
  const values = ACCOUNT_FIELDS.map((field) => {
    const { otherwise } = ACCOUNT_COLUMNS[field];
    return otherwise === null ? `g."${field}"` : `coalesce(g."${field}", '${otherwise}')`;
  });
  const added = JSON.stringify(
    named.map(({ row, account }) => ({
      ...account,
      nameKey: nameKey(account.username),
      cardNumber: row.data.cardNumber,
    })),
  );
  // A second version: the library has dealt with them, so that they stay though nobody confirms the address.
  await connection.query(
    `insert into account (id, username, name_key, password_hash, version, ${COLUMNS.join(', ')})
     select g.id, g.username, g."nameKey", $2, 2, ${values.join(', ')}
     from jsonb_to_recordset($1) as g (id uuid, username text, "nameKey" text, ${GIVEN})`,
    [added, passwordHash],
  );
  // The card that they have is theirs, in place of the one that was made out.
  await connection.query(
    `update reader_card c set number = g."cardNumber"
     from jsonb_to_recordset($1) as g (id uuid, "cardNumber" text)
     where c.account_id = g.id and c.replaced_at is null and g."cardNumber" is not null`,
    [added],
  );
  await connection.query(
    `insert into reader_invitation (account_id, import_id)
     select g.id, $2 from jsonb_to_recordset($1) as g (id uuid, email text) where g.email is not null`,
    [added, importId],
  );
  await connection.query(`select pg_notify($2, g.id::text) from jsonb_to_recordset($1) as g (id uuid)`, [
    added,
    CHANNELS.accounts,
  ]);
  await tellOfBlocks(
    connection,
    named.map(({ account }) => ({ ...account, account_id: account.id })),
  );
  const ids = new Map(named.map(({ row, account }) => [row.place, account.id]));
  return rows.map((row): Done => {
    const { place } = row;
    const account_id = ids.get(place);
    if (account_id !== undefined) return { place, done: 'added', account_id, reason: null };
    const reason = isKnown(row)
      ? ({ code: 'changed-since' } as const)
      : ({ code: 'username-taken', field: 'username' } as const);
    return { place, done: 'left', account_id: null, reason };
  });
}

/** Numbers that are tried behind a name. */
const NAMESAKES = 10_000;

/**
 * The name of each new reader to sign in by: the one that they had, where it is free, else made of their own: "anna.nowak", or with
 * a number behind it.
 * @returns undefined for one whose own is somebody's
 */
async function freeUsernames(connection: Connection, rows: readonly Row[]): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = rows.map(() => undefined);
  const taken = new Set<string>();
  let left = rows.map(({ data }, n) => ({ n, own: data.username, base: baseOf(data) }));
  for (let number = 1; left.length > 0 && number <= NAMESAKES; number += 1) {
    const asked = left.map((each) => ({
      ...each,
      name: each.own ?? (number === 1 ? each.base : `${each.base}${number}`),
    }));
    const found = await queryRows(
      connection,
      z.object({ name_key: z.string() }),
      'select name_key from account where name_key = any($1::text[])',
      [asked.map(({ name }) => nameKey(name))],
    );
    for (const { name_key } of found) taken.add(name_key);
    left = asked.filter(({ n, own, name }) => {
      const key = nameKey(name);
      const isFree = !taken.has(key);
      if (isFree) names[n] = name;
      taken.add(key);
      return !isFree && own === undefined;
    });
  }
  return names;
}

function baseOf({ firstname = '', lastname = '' }: Row['data']): string {
  const words = [firstname, lastname].map((name) => foldText(name).replace(/[^a-z0-9]+/g, ''));
  return (
    words
      .filter((word) => word !== '')
      .join('.')
      .slice(0, 40) || 'reader'
  );
}

async function change(connection: Connection, rows: readonly Row[]): Promise<Done[]> {
  if (rows.length === 0) return [];
  const given = JSON.stringify(rows.map(({ account_id, data }) => ({ ...data, id: account_id })));
  const sets = ACCOUNT_FIELDS.map((field) => {
    const { column } = ACCOUNT_COLUMNS[field];
    return `${column} = coalesce(g."${field}", a.${column})`;
  });
  const changed = await queryRows(
    connection,
    z.object({ id: z.string() }),
    `with changed as (
       update account a set version = a.version + 1, ${sets.join(', ')}
       from jsonb_to_recordset($1) as g (id uuid, ${GIVEN}) where a.id = g.id
       returning a.id, a.pseudonym, g.firstname, g.lastname, g.kind
     ), told as (
       select pg_notify($2, id::text) from changed where firstname is not null or lastname is not null
       union all select pg_notify($3, pseudonym::text) from changed where kind is not null
     ) select id, (select count(*) from told) as told from changed`,
    [given, CHANNELS.readers, CHANNELS.readerKinds],
  );
  await replaceCards(connection, given);
  await tellOfBlocks(
    connection,
    rows.map(({ data, account_id }) => ({ ...data, account_id })),
  );
  const there = new Set(changed.map(({ id }) => id));
  return rows.map(({ place, account_id }): Done => {
    if (account_id !== null && there.has(account_id))
      return { place, done: 'changed', account_id, reason: null };
    return { place, done: 'left', account_id: null, reason: { code: 'changed-since' } };
  });
}

/** The card that was theirs stays known as one that was replaced. */
async function replaceCards(connection: Connection, given: string): Promise<void> {
  const cards = `jsonb_to_recordset($1) as g (id uuid, "cardNumber" text)`;
  const isNew = `g."cardNumber" is not null and not exists (select from reader_card k where k.number = g."cardNumber")`;
  await connection.query(
    `update reader_card c set replaced_at = now() from ${cards}
     where c.account_id = g.id and c.replaced_at is null and ${isNew}`,
    [given],
  );
  await connection.query(
    `insert into reader_card (number, account_id) select g."cardNumber", g.id from ${cards}
     join account a on a.id = g.id where ${isNew}`,
    [given],
  );
}

/** Processes know who is no member any more: they look again, all at once. */
async function tellOfBlocks(
  connection: Connection,
  rows: readonly { memberUntil?: string | undefined; account_id: string | null }[],
): Promise<void> {
  const [first] = rows.filter(({ memberUntil }) => memberUntil !== undefined);
  if (first) await connection.query('select pg_notify($1, $2)', [CHANNELS.readerBlocks, first.account_id]);
}
