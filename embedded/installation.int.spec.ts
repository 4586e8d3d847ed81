import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sharedFolder } from '../test-support/shared.js';
import { claimFolder } from './data-folder.js';
import { storedSecret, writeDurably } from './private-files.js';
import { createLogger } from '#platform/logging.js';
import { closeAll } from '#platform/run-process.js';
import { readSettings } from '#platform/settings.js';
import { withInstallation } from './installation.js';
import { DATABASE } from './postgres/owner-role.js';
import { startPostgres } from './postgres/postgres-server.js';
import { thisProcess } from './process-identity.js';

describe('a data folder', () => {
  const root = sharedFolder();

  it('is claimed by one at a time, by whatever path, and free again afterwards', async () => {
    const folder = join(root, 'claimed');
    mkdirSync(folder);
    const claim = await claimFolder(folder);
    expect(claim).toBeDefined();
    expect(await claimFolder(join(folder, '..', 'claimed'))).toBeUndefined();
    const other = await claimFolder(root);
    expect(other).toBeDefined();
    await claim?.release();
    const again = await claimFolder(folder);
    expect(again).toBeDefined();
    await again?.release();
    await other?.release();
  });

  it('gives no secret to an address that a killed product left, whoever holds the folder', async () => {
    const folder = join(root, 'left');
    mkdirSync(folder);
    const gone = spawnSync(process.execPath, ['--version']).pid;
    writeDurably(
      join(folder, 'running.json'),
      JSON.stringify({ pid: gone, eventStoreUrl: 'esdb://127.0.0.1:1' }),
    );
    const stranger = await claimFolder(folder);
    const work = async () => 'reached';
    const settings = readSettings({ DATA_DIR: folder, DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    const reaching = () => withInstallation(settings, createLogger('silent'), work);
    await expect(reaching()).rejects.toThrow(/not the Lectern that left its addresses/);
    const alive = { ...thisProcess(), eventStoreUrl: 'esdb://127.0.0.1:1' };
    writeDurably(join(folder, 'running.json'), JSON.stringify(alive));
    expect(await reaching()).toBe('reached');
    if (process.platform === 'linux') {
      // Whoever has the number now began at another time, whoever they belong to.
      writeDurably(join(folder, 'running.json'), JSON.stringify({ ...alive, born: 'earlier' }));
      await expect(reaching()).rejects.toThrow(/not the Lectern that left its addresses/);
    }
    await stranger?.release();
  });

  it('of a Lectern before 1.0.0 is refused in one line that names it', async () => {
    const folder = join(root, 'before');
    mkdirSync(folder, { mode: 0o711 });
    const postgres = await startPostgres(join(folder, 'postgres'), { fsync: 'off' });
    await postgres.createDatabase(DATABASE);
    // Whoever owned the tables then.
    const client = new pg.Client({ connectionString: postgres.adminUrl(DATABASE) });
    await client.connect();
    await client.query('create table migration (id serial primary key, timestamp bigint, name text)');
    await client.end();
    await postgres.stop();
    const settings = readSettings({ DATA_DIR: folder, EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' });
    const opening = withInstallation(settings, createLogger('silent'), async () => 'opened');
    await expect(opening).rejects.toThrow(
      `DATA_DIR: ${folder} is of a Lectern before 1.0.0, which no release opens any more. Begin with an empty one.`,
    );
    expect(existsSync(join(folder, 'postgres/cluster/postmaster.pid'))).toBe(false);
  });

  it('writes no secret through a link, nor takes one that lies behind a link', () => {
    const [file, victim] = [join(root, 'linked'), join(root, 'victim')];
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, `${file}.new`);
    writeDurably(file, 'ours');
    expect([readFileSync(file, 'utf8'), readFileSync(victim, 'utf8')]).toEqual(['ours', 'untouched']);
    const link = join(root, 'link');
    symlinkSync(victim, link);
    expect(() => storedSecret(link, () => 'made')).toThrow(`${link} is a link`);
    rmSync(victim);
    rmSync(link);
  });

  it('keeps a secret from its first asking on, for its owner alone, and makes it anew in an empty file', () => {
    const file = join(root, 'secret');
    // As a killed process left it.
    writeFileSync(file, '');
    expect(storedSecret(file, () => 'first')).toBe('first');
    for (const asked of ['second', 'third']) {
      expect(storedSecret(file, () => asked)).toBe('first');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      chmodSync(file, 0o644);
    }
  });

  it('has files that are replaced whole', () => {
    const file = join(root, 'record');
    for (const text of ['a longer first text', 'short']) writeDurably(file, text);
    expect(readFileSync(file, 'utf8')).toBe('short');
    expect(readdirSync(root)).not.toContain('record.new');
  });
});

describe('closing', () => {
  it('goes on to the last part where one fails, and tells of the first failure', async () => {
    const closed: string[] = [];
    const part = (name: string, failure?: Error) => async () => {
      closed.push(name);
      if (failure) throw failure;
    };
    const failure = new Error('the second did not close');
    await expect(closeAll([part('first'), part('second', failure), part('third')])).rejects.toBe(failure);
    expect(closed).toEqual(['third', 'second', 'first']);
  });
});
