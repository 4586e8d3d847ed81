import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryFolder } from '../../test-support/temporary-folder.mjs';
import { startPostgres } from './postgres-server.js';

describe('the embedded PostgreSQL', () => {
  const root = temporaryFolder();
  const folder = join(root, 'postgres');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
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
      const words = await query<{ w: string }>(second.url('lectern'), 'select w from word order by w');
      expect(words.map(({ w }) => w)).toEqual(['cud', 'ćma', 'dom', 'lody', 'łódź']);
      const [{ server_encoding } = { server_encoding: '' }] = await query<{ server_encoding: string }>(
        second.url('lectern'),
        'show server_encoding',
      );
      expect(server_encoding).toBe('UTF8');
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
