import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { temporaryFolder } from '../../test-support/temporary-folder.mjs';
import { startPostgres } from './postgres-server.js';

describe('the embedded PostgreSQL', () => {
  const root = temporaryFolder();
  const folder = join(root, 'postgres');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

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

  it('starts, keeps what was written over a restart, sorts as ICU does and speaks UTF-8', async () => {
    const first = await startPostgres(folder);
    await first.createDatabase('lectern');
    await first.createDatabase('lectern');
    await query(
      first.url('lectern'),
      "create table word as select unnest(array['ćma', 'cud', 'dom', 'łódź', 'lody']) w",
    );
    await first.stop();

    const second = await startPostgres(folder);
    try {
      const words = await query(second.url('lectern'), 'select w from word order by w');
      expect(words).toEqual(['cud', 'ćma', 'dom', 'lody', 'łódź']);
      expect(await query(second.url('lectern'), 'show server_encoding')).toEqual(['UTF8']);
    } finally {
      await second.stop();
    }
  });

  it('adopts a server that a killed process left running', async () => {
    const left = await startPostgres(folder);
    const adopted = await startPostgres(folder);
    expect(adopted.port).toBe(left.port);
    await adopted.stop();
    await expect(query(left.url('postgres'), 'select 1')).rejects.toThrow();
  });

  it('starts where the number of a dead server belongs to somebody else now, and leaves him alone', async () => {
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

  it('does not take for a cluster what a killed initdb left', async () => {
    const other = join(root, 'broken-off');
    const draft = join(other, 'cluster-draft-1');
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, 'PG_VERSION'), '18\n');
    const server = await startPostgres(other);
    await server.stop();
    expect(existsSync(draft)).toBe(false);
  });

  it('refuses a connection without the password', async () => {
    const server = await startPostgres(folder);
    try {
      const url = new URL(server.url('postgres'));
      url.password = 'wrong';
      await expect(query(url.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
    } finally {
      await server.stop();
    }
  });
});
