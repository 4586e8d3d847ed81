import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { pack } from 'tar-stream';
import { sharedFolder } from '../../test-support/shared.js';
import { ArchiveSource, keyThatOpens, readIdentities, type BackupKey } from './archive-source.js';
import { EncryptedArchive, type BackupLock } from './encrypted-archive.js';
import { ofThisProgram, type Manifest } from './manifest.js';

/** Longer than what age encrypts, and than what is read, at once. */
const TABLE = randomBytes(2_500_000);
const PASSPHRASE = 'correct horse battery staple';

describe('an encrypted backup', () => {
  const folder = sharedFolder();
  const table = join(folder, 'table');
  let identity: string;
  let recipient: string;
  let archive: string;
  let manifest: Manifest;

  const file = (name: string) => join(folder, name);
  const draft = () => {
    const path = join(folder, `draft-${randomBytes(4).toString('hex')}`);
    mkdirSync(path);
    return path;
  };
  const never = new AbortController().signal;
  const restore = async (from: string, key: BackupKey, into = draft()) =>
    (await ArchiveSource.open(from, key)).fill(into, { postgres: '18', signal: never });
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'not refused',
      (error: Error) => error.message,
    );

  const contentOf = (path: string) => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    return decrypter.decrypt(readFileSync(path));
  };

  async function make(name: string, lock: BackupLock): Promise<Manifest> {
    const target = await EncryptedArchive.create(file(name), join(folder, 'data'), lock);
    await target.addFolder('cluster');
    await target.addFolder('cluster/pg_wal');
    const files = [
      { path: 'cluster/1', ...(await target.copy(table, 'cluster/1')) },
      { path: 'cluster/empty', ...(await target.write('cluster/empty', '')) },
      { path: 'password', ...(await target.write('password', 'secret-of-the-database')) },
    ];
    const made: Manifest = {
      ...ofThisProgram(),
      ...{ migrations: ['1.0.0'], postgres: '18.4', madeAt: new Date().toISOString() },
      ...{ wal: { start: '0/1', end: '0/2' }, folders: ['cluster', 'cluster/pg_wal'], files },
      holds: { events: 0, position: '-1', accounts: 0, books: 0, covers: 0 },
    };
    await target.complete(made);
    return made;
  }

  beforeAll(async () => {
    writeFileSync(table, TABLE);
    identity = await generateX25519Identity();
    recipient = await identityToRecipient(identity);
    archive = file('backup.age');
    manifest = await make('backup.age', { recipients: [recipient] });
  });

  it('is opened by the key that it is for, with everything that was put in', async () => {
    const into = draft();
    expect(await restore(archive, { identities: [identity] }, into)).toEqual(manifest);
    expect(readFileSync(join(into, 'postgres/cluster/1')).equals(TABLE)).toBe(true);
    expect(readFileSync(join(into, 'postgres/cluster/empty'), 'utf8')).toBe('');
    expect(readFileSync(join(into, 'postgres/password'), 'utf8')).toBe('secret-of-the-database');
    expect(statSync(join(into, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(into, 'postgres/cluster')).sort()).toEqual(['1', 'empty', 'pg_wal']);
  });

  it('is a file of its owner alone, in which nothing of all that can be read', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(archive);
    for (const text of ['secret-of-the-database', 'cluster', 'manifest', TABLE.subarray(0, 12)]) {
      expect(bytes.includes(text)).toBe(false);
    }
  });

  it('is opened by its passphrase and no other', async () => {
    await make('locked.age', { passphrase: PASSPHRASE });
    expect(await keyThatOpens(file('locked.age'))).toBe('passphrase');
    // As dear to try as age itself makes it.
    expect(readFileSync(file('locked.age'), 'latin1').split('\n')[1]).toMatch(/^-> scrypt \S+ 18$/);

    const encrypter = new Encrypter();
    encrypter.setScryptWorkFactor(8);
    encrypter.setPassphrase(PASSPHRASE);
    const cheap = file('cheap.age');
    writeFileSync(cheap, await encrypter.encrypt(await contentOf(archive)));
    expect(await restore(cheap, { passphrase: PASSPHRASE })).toEqual(manifest);
    const into = draft();
    expect(await refusal(restore(cheap, { passphrase: `${PASSPHRASE}!` }, into))).toBe(
      `This passphrase does not open ${cheap}.`,
    );
    expect(readdirSync(into)).toEqual([]);
  });

  it('says which key opens it, and refuses another one', async () => {
    expect(await keyThatOpens(archive)).toBe('identity');
    expect(await keyThatOpens(table)).toBeUndefined();
    expect(await keyThatOpens(folder)).toBeUndefined();
    expect(await refusal(restore(archive, { identities: [await generateX25519Identity()] }))).toBe(
      `${archive} was not encrypted for this key.`,
    );
  });

  it.each([
    ['cut off in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['cut off between two of its chunks', (bytes: Buffer) => bytes.subarray(0, bytes.length - 65_552 * 3)],
    ['without its last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['with another byte in the middle', (bytes: Buffer) => flipped(bytes, bytes.length / 2)],
    ['with another byte at its end', (bytes: Buffer) => flipped(bytes, bytes.length - 1)],
    ['with another byte in its header', (bytes: Buffer) => flipped(bytes, 60)],
    ['with something behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1000)])],
  ])('is refused %s', async (name, damage) => {
    const copy = file(`${name}.age`);
    writeFileSync(copy, damage(readFileSync(archive)));
    expect(await refusal(restore(copy, { identities: [identity] }))).toMatch(
      /^(?:The backup is damaged: .* was changed or cut off\.|.* was not encrypted for this key\.)$/,
    );
  });

  it('cannot write elsewhere than into its place, whoever made it', async () => {
    const cases: [[string, string][], RegExp][] = [
      [[['../outside', 'x']], /has in it what no backup of Lectern has/],
      [[['cluster/../../outside', 'x']], /has in it what no backup of Lectern has/],
      [[['/etc/outside', 'x']], /has in it what no backup of Lectern has/],
      [[['password', 'x']], /is no backup of Lectern/],
    ];
    for (const [entries, sentence] of cases) {
      writeFileSync(file('crafted.age'), await sealed(entries, recipient));
      expect(await refusal(restore(file('crafted.age'), { identities: [identity] }))).toMatch(sentence);
    }
    expect(readdirSync(folder)).not.toContain('outside');
  });

  it('is a tar for everybody who opens it with age', async () => {
    const tar = Buffer.from(await contentOf(archive));
    expect(tar.toString('latin1', 0, 7)).toBe('cluster');
    expect(tar.toString('latin1', 257, 262)).toBe('ustar');
  });

  it('takes a file as long as it was when it began', async () => {
    const target = await EncryptedArchive.create(file('long.age'), join(folder, 'data'), {
      recipients: [recipient],
    });
    const grows = file('grows');
    writeFileSync(grows, 'as it was');
    expect(await target.copy(grows, 'cluster/2')).toMatchObject({ bytes: 9 });
    await expect(target.copy(file('nowhere'), 'cluster/3')).rejects.toMatchObject({ code: 'ENOENT' });
    await target.abandon();
    expect(existsSync(file('long.age'))).toBe(false);
  });

  it('is refused where it cannot be made, and nothing is left', async () => {
    const create = (path: string, lock: BackupLock) =>
      refusal(EncryptedArchive.create(path, join(folder, 'data'), lock));
    expect(await create(file('x.age'), { recipients: ['age1nonsense'] })).toMatch(
      /^age1nonsense is no public key of age/,
    );
    expect(existsSync(file('x.age'))).toBe(false);
    expect(await create(archive, { recipients: [recipient] })).toMatch(/is there already/);
    expect(await create(join(folder, 'data/x.age'), { recipients: [recipient] })).toMatch(
      /inside the data folder/,
    );
  });

  it('reads keys as age-keygen writes them, and never says what it read', async () => {
    const keys = file('key.txt');
    writeFileSync(keys, `# created: 2026-11-22\n# public key: ${recipient}\n${identity}\n`);
    expect(await readIdentities(keys)).toEqual([identity]);
    writeFileSync(keys, `${identity.slice(0, -4)}\n`);
    const message = await refusal(readIdentities(keys));
    expect(message).toMatch(/holds no secret key of age, or one that is not whole/);
    expect(message).not.toContain(identity.slice(20, 40));
    expect(await refusal(readIdentities(file('nowhere')))).toMatch(/cannot be read \(ENOENT\)/);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[Math.floor(at)]! ^= 1;
  return changed;
}

/** An archive by somebody who knows the public key. */
async function sealed(entries: [string, string][], recipient: string): Promise<Uint8Array> {
  const tar = pack();
  for (const [name, text] of entries) tar.entry({ name }, text);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(Buffer.concat(chunks));
}
