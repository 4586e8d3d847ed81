import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './settings.js';

const SECRET = 'a-secret-of-more-than-thirty-two-characters';

describe('settings in files', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'lectern-settings-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const file = (content: string) => {
    const path = join(folder, 'held');
    writeFileSync(path, content);
    return path;
  };
  const refused = (environment: NodeJS.ProcessEnv) => {
    try {
      readSettings(environment);
    } catch (error) {
      return (error as Error).message;
    }
    return 'not refused';
  };

  it.each([
    ['DATABASE_URL', 'postgres://lectern:secret@db/lectern'],
    ['EVENTSTORE_URL', 'esdb+discover://admin:secret@one:2113,two:2113?tls=true'],
    ['REDIS_URL', 'redis://:secret@redis:6379'],
    ['SMTP_URL', 'smtps://user:secret@mail:465'],
    ['JWT_SECRET', SECRET],
    ['STRIPE_SECRET_KEY', 'sk_test_secret'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_secret'],
    ['BACKUP_PASSPHRASE', 'of more than twelve'],
  ] as const)('takes %s from a file', (name, value) => {
    expect(readSettings({ [`${name}_FILE`]: file(value) })[name]).toBe(value);
    expect(readSettings({ [`${name}_FILE`]: file(`${value}\n`) })[name]).toBe(value);
    expect(readSettings({ [`${name}_FILE`]: file(`${value}\r\n`), [name]: '' })[name]).toBe(value);
  });

  it('does not say which counts when both are set: it refuses', () => {
    const message = refused({ JWT_SECRET: SECRET, JWT_SECRET_FILE: file(SECRET) });
    expect(message).toContain('JWT_SECRET_FILE: set either this or JWT_SECRET, not both');
    expect(message).not.toContain(SECRET);
  });

  it('names what is wrong with a file, all at once with what else does not hold', () => {
    const message = refused({
      JWT_SECRET_FILE: join(folder, 'nowhere'),
      SMTP_URL_FILE: file('\n'),
      PORT: 'abc',
    });
    expect(message).toContain('JWT_SECRET_FILE: the file cannot be read (ENOENT)');
    expect(message).toContain('SMTP_URL_FILE: the file is empty');
    expect(message).toContain('PORT: ');
  });

  it('checks what a file holds as it checks a variable, and does not print it', () => {
    const message = refused({ JWT_SECRET_FILE: file('short-secret') });
    expect(message).toContain('JWT_SECRET: must have at least 32 characters');
    expect(message).not.toContain('short-secret');
  });

  it('takes several earlier secrets, and says which setting has one that is too short', () => {
    const OTHER = `another-${SECRET}`;
    expect(readSettings({}).JWT_SECRET_PREVIOUS).toEqual([]);
    expect(readSettings({ JWT_SECRET_PREVIOUS: `${SECRET}, ${OTHER}` }).JWT_SECRET_PREVIOUS).toEqual([
      SECRET,
      OTHER,
    ]);
    expect(
      readSettings({ JWT_SECRET_PREVIOUS_FILE: file(`${SECRET}\n${OTHER}\n`) }).JWT_SECRET_PREVIOUS,
    ).toEqual([SECRET, OTHER]);
    const message = refused({ JWT_SECRET_PREVIOUS: `${SECRET},short-secret` });
    expect(message).toContain('JWT_SECRET_PREVIOUS: must have at least 32 characters each');
    expect(message).not.toContain('short-secret');
  });
});

describe('the time zone', () => {
  it.each(['Mars/Olympus', '+01:00', 'CET-1CEST'])('is not %s: the start names the setting', (TIME_ZONE) => {
    expect(() => readSettings({ TIME_ZONE })).toThrow(/\n {2}TIME_ZONE: must be a time zone .*$/);
  });

  it('is a name of the IANA database, or unset', () => {
    expect(readSettings({ TIME_ZONE: 'America/Sao_Paulo' }).TIME_ZONE).toBe('America/Sao_Paulo');
    expect(readSettings({ TIME_ZONE: '' }).TIME_ZONE).toBeUndefined();
  });
});

describe('the trusted proxies', () => {
  it.each(['true', 'proxy.example.org', '10.0.0.0/33', '1.2.3', '-1', '10.0.0.1,,', '300'])(
    'cannot be taken from %j',
    (TRUST_PROXY) => {
      expect(() => readSettings({ TRUST_PROXY })).toThrow('TRUST_PROXY: must be a number of proxies');
    },
  );

  it.each([
    ['2', 2],
    ['10.0.0.1, fd00::/8,uniquelocal', ['10.0.0.1', 'fd00::/8', 'uniquelocal']],
    [undefined, 0],
    ['', 0],
  ])('are read from %j', (TRUST_PROXY, read) => {
    expect(readSettings({ TRUST_PROXY }).TRUST_PROXY).toEqual(read);
  });
});
