import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test-support/temporary-folder.mjs';
import { makeDataFolder } from './data-folder.js';

const ORDINARY_USER = 65_534;

describe('the folder that DATA_DIR names', () => {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  const file = join(root, 'file');
  writeFileSync(file, '');
  afterAll(() => rmSync(root, { recursive: true, force: true }));

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
