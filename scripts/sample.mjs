// Records a small library of a release, for the test that opens the data of every release before:
// `node scripts/sample.mjs <name> [folder of a built checkout]`. The demo is opened there, used for sixteen days in a
// minute, closed, and all of its database but the job queues is written as statements to test-support/samples/<name>.sql.gz.
/* global fetch */
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import pg from 'pg';

const [name, release = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2);
if (!name) throw new Error('Name the release: node scripts/sample.mjs <name> [folder]');
const dist = join(resolve(release), 'dist');
const folder = mkdtempSync(join(tmpdir(), 'lectern-sample-'));
chmodSync(folder, 0o711);
const dataDir = join(folder, 'data');
mkdirSync(dataDir, { mode: 0o711 });

/** A process whose clock is some days behind. */
const shifted = (days) =>
  `data:text/javascript,${encodeURIComponent(`
  const Present = Date;
  globalThis.Date = class extends Present {
    constructor(...at) { at.length === 0 ? super(Present.now() - ${days * 86_400_000}) : super(...at); }
    static now() { return Present.now() - ${days * 86_400_000}; }
  };`)}`;

/** Opens the release some days ago, lets the work be done, and closes it. */
async function during(daysAgo, work) {
  const child = spawn(process.execPath, [join(dist, 'embedded/start.js')], {
    cwd: resolve(release),
    env: {
      ...process.env,
      NODE_OPTIONS: `--import ${shifted(daysAgo)}`,
      DATA_DIR: dataDir,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  try {
    const url = await new Promise((open, fail) => {
      let said = '';
      child.stdout.on('data', (chunk) => {
        const address = /Address +(\S+)/.exec((said += chunk))?.[1];
        if (address) open(address);
      });
      void ended.then((code) => fail(new Error(`It ended with ${code}.`)));
    });
    await work(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function call(url, method, path, token, body) {
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Signs in the demo's people: the reader, and the librarian with what she does at the desk. */
async function people(url) {
  const token = async (username, password) =>
    (await call(url, 'POST', 'Account/login', undefined, { username, password })).token;
  const [reader, librarian] = [await token('reader', 'Reader123!'), await token('admin', 'Admin123!')];
  const { items } = await call(url, 'GET', 'Book?pageNumber=1&pageSize=20');
  const books = items.map(({ id }) => id);
  const rent = async (...bookIds) =>
    (await call(url, 'POST', 'Borrow/rent-books', reader, { bookIds })).borrowId;
  const borrow = async (borrowId) => {
    const { items: borrows } = await call(url, 'GET', 'Borrow?pageNumber=1&pageSize=20', librarian);
    return borrows.find(({ id }) => id === borrowId);
  };
  const atDesk = async (what, borrowId) => {
    const { user, borrowedBooks } = await borrow(borrowId);
    await call(url, 'POST', `Borrow/${what}?borrowId=${borrowId}&userId=${user.id}`, librarian, {
      bookIds: borrowedBooks.map(({ bookId }) => bookId),
    });
  };
  const pay = async (borrowId) => {
    const { user } = await borrow(borrowId);
    const fee = await call(url, 'GET', `Payment/desk?borrowId=${borrowId}&userId=${user.id}`, librarian);
    await call(url, 'POST', `Payment/desk?borrowId=${borrowId}&userId=${user.id}`, librarian, {
      amount: fee.due,
    });
  };
  return { reader, books, rent, atDesk, pay, borrow };
}

const ours = `(n.nspname in ('public', 'letters', 'eventstore') or n.nspname like 'read\\_model%')`;
const notOfExtension = (oid) =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`;

/** All of the database but the job queues, as statements. */
async function statements(database) {
  const list = async (sql, values) => (await database.query(sql, values)).rows.map(({ s }) => s);
  const tables = (
    await database.query(`
      select c.oid, format('%I.%I', n.nspname, c.relname) as name,
        array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns,
        string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
          || case when a.attcollation <> t.typcollation then (select format(' collate %I.%I', cn.nspname, co.collname)
               from pg_collation co join pg_namespace cn on cn.oid = co.collnamespace where co.oid = a.attcollation) else '' end
          || case when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(def.adbin, def.adrelid) || ') stored'
               when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
               when def.adbin is not null then ' default ' || pg_get_expr(def.adbin, def.adrelid) else '' end
          || case when a.attnotnull then ' not null' else '' end, ', ' order by a.attnum) as definition
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef def on def.adrelid = c.oid and def.adnum = a.attnum
      where c.relkind = 'r' and ${ours} and ${notOfExtension('c.oid')}
      group by c.oid, n.nspname, c.relname order by 2`)
  ).rows;
  const of = 'from pg_class c join pg_namespace n on n.oid = c.relnamespace';
  const rows = [];
  for (const table of tables) {
    const { rows: found } = await database.query(
      `select jsonb_agg(to_jsonb(t))::text as all from ${table.name} t`,
    );
    if (found[0].all === null) continue;
    rows.push(
      `insert into ${table.name} (${table.columns.join(', ')}) overriding system value ` +
        `select ${table.columns.join(', ')} from jsonb_populate_recordset(null::${table.name}, $sample$${found[0].all}$sample$)`,
    );
  }
  return [
    'set check_function_bodies = off',
    ...(await list(
      `select format('create schema if not exists %I', n.nspname) as s from pg_namespace n where ${ours}`,
    )),
    ...(await list(`select format('create extension if not exists %I with schema %I', e.extname, n.nspname) as s
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname <> 'plpgsql'`)),
    ...(await list(`select format('create collation %I.%I (provider = icu, locale = %L, deterministic = %s)',
        n.nspname, c.collname, c.colllocale, c.collisdeterministic) as s
      from pg_collation c join pg_namespace n on n.oid = c.collnamespace where ${ours}`)),
    ...(await list(`select format('create sequence %I.%I as %s', n.nspname, c.relname, format_type(q.seqtypid, null)) as s
      ${of} join pg_sequence q on q.seqrelid = c.oid where ${ours}
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')`)),
    // One that a generated column needs comes before its table, one that returns rows of a table after it.
    ...(await list(`select pg_get_functiondef(p.oid) as s from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and ${notOfExtension('p.oid')}`)),
    ...tables.map(({ name: table, definition }) => `create table ${table} (${definition})`),
    ...(await list(`select format('alter sequence %I.%I owned by %s.%I', n.nspname, c.relname, d.refobjid::regclass, a.attname) as s
      ${of} join pg_depend d on d.objid = c.oid and d.deptype = 'a' and d.classid = 'pg_class'::regclass
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid where c.relkind = 'S' and ${ours}`)),
    ...rows,
    ...(await list(`select format('select setval(%L, %s, true)', format('%I.%I', n.nspname, n.sequencename), n.last_value) as s
      from (select schemaname as nspname, sequencename, last_value from pg_sequences) n where ${ours} and n.last_value is not null`)),
    ...(await list(`select format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as s
      from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where ${ours} and k.conrelid <> 0 and k.contype in ('p', 'u', 'c', 'f', 'x')
      order by k.contype = 'f', k.conrelid`)),
    ...(await list(`select pg_get_indexdef(i.indexrelid) as s from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)),
    ...(await list(`select format('create view %I.%I as %s', n.nspname, c.relname, rtrim(pg_get_viewdef(c.oid), ';')) as s
      ${of} where c.relkind = 'v' and ${ours} and ${notOfExtension('c.oid')}`)),
    ...(await list(`select pg_get_triggerdef(t.oid) as s from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_namespace n on n.oid = c.relnamespace where ${ours} and not t.tgisinternal`)),
    'set check_function_bodies = on',
  ];
}

try {
  let late;
  await during(16, async (url) => {
    const { books, rent, atDesk } = await people(url);
    late = await rent(books[0], books[1]);
    await atDesk('issue-books', late);
    const returned = await rent(books[2]);
    await atDesk('issue-books', returned);
    await atDesk('return-books', returned);
    await rent(books[3]);
  });
  await during(0, async (url) => {
    const { reader, books, rent, atDesk, pay, borrow } = await people(url);
    // What the hourly sweep does at each start: the late borrow is charged, the one that nobody collected expires.
    for (
      const until = Date.now() + 60_000;
      Date.now() < until && (await borrow(late)).status !== 'Not_Paid';
    ) {
      await new Promise((done) => setTimeout(done, 250));
    }
    await pay(late);
    await atDesk('return-books', late);
    const renewed = await rent(books[4], books[5]);
    await atDesk('issue-books', renewed);
    await call(url, 'POST', `Borrow/renew?borrowId=${renewed}`, reader);
    await rent(books[6]);
  });
  const { startPostgres } = await import(
    pathToFileURL(join(dist, 'embedded/postgres/postgres-server.js')).href
  );
  const postgres = await startPostgres(join(dataDir, 'postgres'));
  const database = new pg.Client({ connectionString: postgres.url('lectern') });
  await database.connect();
  try {
    const sql = (await statements(database)).join(';\n') + ';\n';
    const target = fileURLToPath(new URL(`../test-support/samples/${name}.sql.gz`, import.meta.url));
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, gzipSync(sql, { level: 9 }));
    process.stdout.write(`${target}: ${sql.length} characters\n`);
  } finally {
    await database.end();
    await postgres.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
