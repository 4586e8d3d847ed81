import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test-support/installation/temporary-folder.js';
import {
  verifiedBackups,
  verifiedSince,
  namesFor,
  prune,
  removeUnverified,
  writeReceipt,
} from './backup-names.js';

const OURS = '7460000000000000001';
const OTHERS = '7460000000000000002';

describe('the folder for backups', () => {
  let folder = '';
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A backup of that day. */
  const good = (day: number, installation = OURS, encrypted = false) => {
    const { good: name } = namesFor(new Date(Date.UTC(2026, 10, day, 3)), encrypted);
    if (encrypted) writeFileSync(join(folder, name), 'age');
    else mkdirSync(join(folder, name, 'cluster'), { recursive: true });
    const at = new Date().toISOString();
    writeReceipt(folder, name, {
      ...{ installation, madeAt: at, triedOutAt: at, bytes: 1, events: 1, differences: 0 },
    });
    return name;
  };

  it('loses the oldest good backups, but so many', async () => {
    const names = [1, 2, 3, 4].map((day) => good(day));
    const sealed = good(5, OURS, true);
    expect(await prune(folder, OURS, 2)).toEqual([names[2], names[1], names[0]]);
    expect(verifiedBackups(folder, OURS)).toEqual([sealed, names[3]]);
    expect(readdirSync(folder).sort()).toEqual(
      [sealed, `${sealed}.json`, names[3], `${names[3]}.json`].sort(),
    );
  });

  it('never loses the last good one', async () => {
    const name = good(1);
    expect(await prune(folder, OURS, 0)).toEqual([]);
    expect(verifiedBackups(folder, OURS)).toEqual([name]);
  });

  it('never loses what is no backup of this library', async () => {
    const kept = [good(1, OTHERS), `${good(2, OTHERS)}.json`, 'photos', 'lectern-2025-01-01T03-00-00Z'];
    mkdirSync(join(folder, 'photos'));
    // Made by hand, or its receipt was lost.
    mkdirSync(join(folder, 'lectern-2025-01-01T03-00-00Z'));
    mkdirSync(join(folder, 'lectern-by-hand'));
    writeFileSync(join(folder, 'lectern-2025-01-02T03-00-00Z'), '');
    writeFileSync(join(folder, 'lectern-2025-01-02T03-00-00Z.json'), '{"installation": "nonsense"');
    for (const day of [10, 11, 12]) good(day);
    expect(await prune(folder, OURS, 1)).toHaveLength(2);
    await removeUnverified(folder);
    for (const name of [...kept, 'lectern-by-hand', 'lectern-2025-01-02T03-00-00Z']) {
      expect([name, existsSync(join(folder, name))]).toEqual([name, true]);
    }
  });

  it('has the one whose process was killed before it could tell', () => {
    const name = good(1);
    expect(verifiedSince(folder, OURS, new Date(Date.now() - 60_000))?.name).toBe(name);
    expect(verifiedSince(folder, OURS, new Date(Date.now() + 60_000))).toBeUndefined();
    expect(verifiedSince(folder, OTHERS, new Date(0))).toBeUndefined();
    expect(verifiedSince(join(folder, 'none'), OURS, new Date(0))).toBeUndefined();
  });

  it('loses what was never tried out, and receipts of nothing', async () => {
    const name = good(3);
    const { untried } = namesFor(new Date(), false);
    mkdirSync(join(folder, untried, 'cluster'), { recursive: true });
    writeFileSync(join(folder, namesFor(new Date(), true).untried), 'half');
    rmSync(join(folder, good(4)), { recursive: true });
    await removeUnverified(folder);
    expect(readdirSync(folder).sort()).toEqual([name, `${name}.json`]);
  });
});
