import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { sharedFolder } from '../../test-support/shared.js';
import { runningPostgres, startPostgres } from './postgres-server.js';
import { tryToConnect } from './running-server.js';
import { changeSuperuserPassword } from './superuser-password.js';

describe('the embedded PostgreSQL', () => {
  const root = sharedFolder();
  const folder = join(root, 'postgres');

  /** @returns the first column's texts */
  async function query(url: string, sql: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const rows = await queryRows(client, z.record(z.string(), z.unknown()), sql);
      return rows.map((row) => String(Object.values(row)[0]));
    } finally {
      await client.end();
    }
  }

  const running = async (
    at: string,
    work: (server: Awaited<ReturnType<typeof startPostgres>>) => Promise<void>,
  ) => {
    const server = await startPostgres(at);
    try {
      await work(server);
    } finally {
      await server.stop();
    }
  };

  it('starts, keeps what was written over a restart, sorts as ICU does and speaks UTF-8', async () => {
    await running(folder, async (server) => {
      for (let time = 0; time < 2; time += 1) await server.createDatabase('lectern');
      const words = "array['ćma', 'cud', 'dom', 'łódź', 'lody']";
      await query(server.url('lectern'), `create table word as select unnest(${words}) w`);
    });
    await running(folder, async (server) => {
      const words = await query(server.url('lectern'), 'select w from word order by w');
      expect(words).toEqual(['cud', 'ćma', 'dom', 'lody', 'łódź']);
      expect(await query(server.url('lectern'), 'show server_encoding')).toEqual(['UTF8']);
    });
  });

  it('adopts a server that a killed process left running', async () => {
    const left = await startPostgres(folder);
    const began = () => query(left.adminUrl('postgres'), 'select pg_postmaster_start_time()::text');
    const before = await began();
    const adopted = await startPostgres(folder);
    expect(await began()).toEqual(before);
    await adopted.stop();
    await expect(query(left.adminUrl('postgres'), 'select 1')).rejects.toThrow();
  });

  it('starts where the number of a dead server belongs to somebody else now, and leaves them alone', async () => {
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
      stdio: 'ignore',
    });
    try {
      const lines = [bystander.pid, join(folder, 'cluster'), 0, 1, '', '127.0.0.1', '', 'ready'];
      writeFileSync(join(folder, 'cluster', 'postmaster.pid'), lines.join('\n'));
      const server = await startPostgres(folder);
      await server.stop();
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    } finally {
      bystander.kill();
    }
  });

  it('listens at no port, on a socket of its own, to who has the password, and lets the product be no superuser', () =>
    running(folder, async (server) => {
      expect(await query(server.adminUrl('postgres'), 'show listen_addresses')).toEqual(['']);
      const [place = ''] = await query(
        server.adminUrl('postgres'),
        `select trim(both '"' from current_setting('unix_socket_directories'))`,
      );
      const { mode, uid } = statSync(place);
      expect([mode & 0o027, uid]).toEqual([0, statSync(join(folder, 'cluster')).uid]);

      const url = new URL(server.adminUrl('postgres'));
      url.password = 'wrong';
      await expect(query(url.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);

      for (const sql of ['create extension pg_trgm', 'create schema later', 'create table list (id integer)'])
        await query(server.url('lectern'), sql);
      for (const sql of [
        'create role other superuser',
        'create database other',
        "copy (select 1) to program 'true'",
        'select rolpassword from pg_authid',
      ])
        await expect(query(server.url('lectern'), sql)).rejects.toThrow(/permission denied/);
    }));

  it('gives nobody a password who has the number, the port and the name of a dead server', async () => {
    const told: string[] = [];
    // Asks for the password as it is, as PostgreSQL may do too.
    const impostor = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => told.push(bytes.toString('latin1')));
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
    const open = mkdtempSync(join(root, 'open-'));
    chmodSync(open, 0o777);
    const cluster = join(folder, 'cluster');
    const body = 'setInterval(() => undefined, 1000)';
    // Of this very user, which another one's could only be if they were.
    const bystander = spawn(process.execPath, ['-e', body, cluster], { stdio: 'ignore', cwd: cluster });
    try {
      for (const address of [{ host: '127.0.0.1', port: 0 }, { path: join(open, '.s.PGSQL.5432') }]) {
        await new Promise<void>((resolve) => impostor.listen(address, resolve));
        const at = impostor.address();
        const [port, host] = at !== null && typeof at === 'object' ? [at.port, ''] : [5432, open];
        const lines = [bystander.pid, cluster, 0, port, host, host ? '' : '127.0.0.1', '', 'ready'];
        writeFileSync(join(cluster, 'postmaster.pid'), lines.join('\n'));
        const password = readFileSync(join(folder, 'password'), 'utf8');
        // A command that meets a stranger, and the next start.
        if (process.getuid?.() === 0) expect(() => runningPostgres(folder)).toThrow(/No PostgreSQL runs/);
        const outcome = await tryToConnect({ host: host || '127.0.0.1', port }, cluster, password);
        expect(outcome).toBe('refused');
        await new Promise((resolve) => impostor.close(resolve));
      }
      expect(told).toEqual([]);
    } finally {
      bystander.kill();
      impostor.close();
      rmSync(join(cluster, 'postmaster.pid'), { force: true });
    }
  });

  let cluster: string | undefined;
  // Of the socket's: Linux takes 107.
  it.each([107, 108])('takes a folder with a strange name whose path has %d characters', async (length) => {
    const begin = join(root, `it's, `);
    const rest = length - `${begin}/postgres/socket/.s.PGSQL.5432`.length;
    const above = begin + 'x'.repeat(rest);
    // The first one is made there, and moves on.
    if (cluster !== undefined) renameSync(cluster, above);
    cluster = above;
    const long = join(above, 'postgres');
    const server = await startPostgres(long);
    expect(await query(server.adminUrl('postgres'), 'select 1')).toEqual(['1']);
    const place = runningPostgres(long).adminUrl('postgres');
    expect(await query(place, 'select 2')).toEqual(['2']);
    await server.stop();
    const socketFolder = new URL(place).searchParams.get('host') ?? '';
    const isInside = process.platform === 'linux' && length <= 107;
    expect(socketFolder.startsWith(long)).toBe(isInside);
    expect(existsSync(socketFolder)).toBe(isInside);
  });

  const other = join(root, 'broken-off');
  it('does not take for a cluster what a killed initdb left', async () => {
    const draft = join(other, 'cluster-draft-1');
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, 'PG_VERSION'), '18\n');
    const server = await startPostgres(other);
    await server.stop();
    expect(existsSync(draft)).toBe(false);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('runs as a user of its own, of which there is no other process', async () => {
    const first = await startPostgres(folder);
    const second = await startPostgres(other);
    try {
      const uids = [folder, other].map((each) => statSync(join(each, 'cluster')).uid);
      expect(new Set([...uids, 0, 65_534]).size).toBe(4);
      expect([...first.warnings, ...second.warnings]).toEqual([]);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  it('takes a new password of its superuser, wherever a kill broke the change off', async () => {
    const file = (name: string) => join(folder, name);
    let server = await startPostgres(folder);
    const old = readFileSync(file('password'), 'utf8');
    await server.createDatabase('lectern');
    await changeSuperuserPassword(folder, server.adminUrl('lectern'));
    const changed = readFileSync(file('password'), 'utf8');
    expect(changed).not.toBe(old);
    await server.stop();
    // Killed after the change, before the file had its name; and before the change.
    for (const [password, next] of [
      [old, changed],
      [changed, 'never-set'],
    ] as const) {
      writeFileSync(file('password'), password);
      writeFileSync(file('password-next'), next);
      server = await startPostgres(folder);
      expect(await query(server.adminUrl('postgres'), 'select 1')).toEqual(['1']);
      expect(readFileSync(file('password'), 'utf8')).toBe(changed);
      expect(existsSync(file('password-next'))).toBe(false);
      await server.stop();
    }
  });
});
