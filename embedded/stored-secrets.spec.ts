import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test-support/installation/temporary-folder.js';
import { storedPreviousSecrets, storedSessionSecret, rotateSessionSecret } from './stored-secrets.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

describe('the secret of sessions in the data folder', () => {
  let folder: string;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made once, and changed by a rotation that keeps the old ones', () => {
    const first = storedSessionSecret(folder);
    expect(storedSessionSecret(folder)).toBe(first);
    expect(storedPreviousSecrets(folder)).toEqual([]);

    rotateSessionSecret(folder, hoursLater(8));
    const second = storedSessionSecret(folder);
    expect(second).not.toBe(first);
    rotateSessionSecret(folder, hoursLater(9));
    expect(storedSessionSecret(folder)).not.toBe(second);
    expect(storedPreviousSecrets(folder)).toEqual([
      { secret: second, until: hoursLater(9) },
      { secret: first, until: hoursLater(8) },
    ]);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('signs nothing that is accepted any longer where that is asked for, nor do those before it', () => {
    const first = storedSessionSecret(folder);
    rotateSessionSecret(folder, hoursLater(8));
    const second = storedSessionSecret(folder);
    rotateSessionSecret(folder, NOW);
    // They are there still: what they encrypted has not been encrypted anew yet.
    expect(storedPreviousSecrets(folder)).toEqual([
      { secret: second, until: NOW },
      { secret: first, until: NOW },
    ]);
  });

  it('is not kept for ever', () => {
    for (let times = 0; times < 12; times += 1) rotateSessionSecret(folder, hoursLater(times));
    expect(storedPreviousSecrets(folder)).toHaveLength(10);
  });

  it('says what to do where the file of the old ones is damaged, and nothing of what is in it', () => {
    writeFileSync(join(folder, 'jwt-secret-previous'), '[{"secret":"half-of-a-secret');
    expect(() => storedPreviousSecrets(folder)).toThrow(
      /jwt-secret-previous cannot be read \(damaged\).*or remove it/,
    );
    expect(() => storedPreviousSecrets(folder)).not.toThrow(/half-of/);
  });
});
