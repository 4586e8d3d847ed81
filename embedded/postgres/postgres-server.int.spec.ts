import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { temporaryFolder } from '../../test-support/temporary-folder.mjs';
import { startPostgres } from './postgres-server.js';
import { changeSuperuserPassword } from './superuser-password.js';

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
    await expect(query(left.adminUrl('postgres'), 'select 1')).rejects.toThrow();
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

  it('gives the product a role that is no superuser, and owns what earlier releases made as one', async () => {
    const server = await startPostgres(folder);
    try {
      await query(server.adminUrl('postgres'), 'create database earlier');
      const made = [
        'create extension pg_trgm',
        'create schema "read model"',
        'create table "read model".row (id integer generated always as identity, at serial)',
        'create sequence number',
        'create view seen as select * from "read model".row',
        "create type mood as enum ('calm')",
        'create table list (id serial primary key, mood mood)',
        "create function look(text) returns text language sql return $1 || 'x'",
        "create procedure act() language sql as ''",
        'create text search configuration plain (copy = simple)',
      ];
      for (const sql of made) await query(server.adminUrl('earlier'), sql);
      await server.createDatabase('earlier');
      const changes = [
        'drop schema "read model" cascade',
        'drop sequence number',
        'alter table list add more integer',
        'drop function look',
        'drop procedure act',
        'drop text search configuration plain',
        'drop table list',
        'drop type mood',
        'create extension if not exists pg_trgm',
        'create schema later',
      ];
      for (const sql of changes) await query(server.url('earlier'), sql);
      for (const sql of [
        'create role other superuser',
        'create database other',
        "copy (select 1) to program 'true'",
        'select rolpassword from pg_authid',
      ])
        await expect(query(server.url('earlier'), sql)).rejects.toThrow(/permission denied/);
    } finally {
      await server.stop();
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

  it('refuses a connection without the password', async () => {
    const server = await startPostgres(folder);
    try {
      const url = new URL(server.adminUrl('postgres'));
      url.password = 'wrong';
      await expect(query(url.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
    } finally {
      await server.stop();
    }
  });
});
