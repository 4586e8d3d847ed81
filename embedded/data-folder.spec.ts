import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../test-support/shared.js';
import { makeDataFolder } from './data-folder.js';

const ORDINARY_USER = 65_534;

function laid(folder: string, name: string): string {
  writeFileSync(join(folder, name), 'a secret of theirs');
  return join(folder, name);
}

function laidFolder(folder: string, name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

describe('the folder that DATA_DIR names', () => {
  const root = sharedFolder();
  chmodSync(root, 0o755);
  const file = join(root, 'file');
  writeFileSync(file, '');

  it('is made with all that is missing above it, and taken as it is where it is there', () => {
    const folder = join(root, 'a', 'b', 'data');
    makeDataFolder(folder);
    expect(existsSync(folder)).toBe(true);
    makeDataFolder(folder);
  });

  it.each<[what: string, folder: string, reason: string]>([
    ['a file', file, `${file} is a file`],
    ['below a file', join(file, 'data'), 'a part of it is a file'],
    // Where the system takes no folder at all Node's own recursive making goes round for ever.
    ...(process.platform === 'linux'
      ? [['where the system has none', '/proc/data', 'the system says ENOENT'] as [string, string, string]]
      : []),
  ])('is refused by the name of the setting where it is %s', (_what, folder, reason) => {
    expect(() => makeDataFolder(folder)).toThrow(
      `DATA_DIR: ${folder} cannot be used: ${reason}. Set it to a folder of your own.`,
    );
  });

  const STRANGER = 64_997;
  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  const made = (name: string) => {
    const folder = join(root, name);
    makeDataFolder(folder);
    return folder;
  };

  asRoot.each<[what: string, lay: (folder: string) => void]>([
    ['itself', (folder) => chownSync(folder, STRANGER, STRANGER)],
    ['a secret in it', (folder) => chownSync(laid(folder, 'jwt-secret'), STRANGER, STRANGER)],
    ['a folder in it', (folder) => chownSync(laidFolder(folder, 'postgres'), STRANGER, STRANGER)],
    [
      'a folder deep in it',
      (folder) => chownSync(laidFolder(laidFolder(folder, 'postgres'), 'cluster'), STRANGER, STRANGER),
    ],
  ])('is refused where %s was made by another user', (_what, lay) => {
    const folder = made('laid');
    lay(folder);
    expect(() => makeDataFolder(folder)).toThrow(/^DATA_DIR: .* belongs to another user \(64997\)/);
    rmSync(folder, { recursive: true });
  });

  asRoot('is refused where another user could put another in its place', () => {
    const above = join(root, 'theirs');
    mkdirSync(above);
    const folder = join(above, 'data');
    chownSync(above, STRANGER, STRANGER);
    expect(() => makeDataFolder(folder)).toThrow(`${above} belongs to another user (64997)`);
    expect(existsSync(folder)).toBe(false);
    chownSync(above, 0, 0);
    makeDataFolder(folder);
    chownSync(above, STRANGER, STRANGER);
    expect(() => makeDataFolder(folder)).toThrow(`${above} belongs to another user (64997)`);
    chownSync(above, 0, 0);
    chmodSync(above, 0o777);
    expect(() => makeDataFolder(folder)).toThrow(`other users may write to ${above}`);
    // As in /tmp, where each may remove only what is their own.
    chmodSync(above, 0o1777);
    makeDataFolder(folder);
  });

  it('is refused with a link in it, wherever that leads', () => {
    const folder = made('linked');
    symlinkSync(file, join(laidFolder(folder, 'postgres'), 'postgres.log'));
    expect(() => makeDataFolder(folder)).toThrow(/postgres\.log is a link/);
  });

  it('may be named by a link of this user, and is written to by nobody else from then on', () => {
    const folder = made('shared');
    const secret = laid(folder, 'jwt-secret');
    chmodSync(folder, 0o777);
    chmodSync(secret, 0o666);
    const link = join(root, 'link');
    symlinkSync(folder, link);
    makeDataFolder(link);
    expect([folder, secret].map((path) => statSync(path).mode & 0o022)).toEqual([0, 0]);
  });

  it.each([
    ['below the folder of another user', (mine: string) => join(mine, 'data')],
    ['the folder of another user', (mine: string) => mine],
  ])('is refused where it is %s', (what, place) => {
    const mine = join(root, what.replaceAll(' ', '-'));
    // What may be entered and read, but not written to; by its owner neither, where this is not run by root.
    mkdirSync(mine, { mode: 0o555 });
    const folder = place(mine);
    const refused = () => makeDataFolder(folder);
    const asOrdinaryUser = () => {
      if (process.getuid?.() !== 0) return refused();
      process.seteuid?.(ORDINARY_USER);
      try {
        refused();
      } finally {
        process.seteuid?.(0);
      }
    };
    expect(asOrdinaryUser).toThrow(`DATA_DIR: ${folder} cannot be used: this user has not the rights.`);
  });
});
