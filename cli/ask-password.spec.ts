import { PassThrough } from 'node:stream';
import { askPassword, askPresentPassword, type Terminal } from './ask-password.js';

describe('the question for a password', () => {
  let raw: boolean[];
  let shown: string;
  const terminal = (isTTY = true): Terminal & { input: PassThrough } => {
    raw = [];
    shown = '';
    const input = Object.assign(new PassThrough(), {
      isTTY,
      setRawMode: (mode: boolean) => raw.push(mode),
    });
    const output = new PassThrough();
    output.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    return { input, output } as unknown as Terminal & { input: PassThrough };
  };
  const typing = async (...keys: string[]) => {
    const at = terminal();
    const asked = askPassword(false, at);
    // The command may refuse before it has read the last key.
    asked.catch(() => undefined);
    for (const key of keys) {
      at.input.write(key);
      await new Promise((done) => setImmediate(done));
    }
    return asked;
  };

  it('takes what is typed twice, and shows nothing of it', async () => {
    expect(await typing(...'Sekret#1\r', ...'Sekret#1\r')).toBe('Sekret#1');
    expect(shown).toBe('Password: \nThe same again: \n');
    expect(raw).toEqual([true, false, true, false]);
  });

  it('takes a paste of both lines, erased signs and letters of every script', async () => {
    expect(await typing('Łódź#2026\nŁódź#2026\n')).toBe('Łódź#2026');
    expect(await typing('Łódź#2026\r\nŁódź#2026\r\n')).toBe('Łódź#2026');
    expect(await typing('Sekreu', '\u007f', 't#1\r', 'nonsense\u0015Sekret#1\r')).toBe('Sekret#1');
  });

  it('refuses two different ones, and stops at Ctrl-C', async () => {
    await expect(typing('Sekret#1\r', 'Sekret#2\r')).rejects.toThrow('These are two different passwords.');
    await expect(typing('Sek\u0003')).rejects.toThrow('Stopped.');
    expect(raw).toEqual([true, false]);
  });

  it('asks once for a password that somebody has', async () => {
    const at = terminal();
    const asked = askPresentPassword('anna', false, at);
    at.input.write('Sekret#1\r');
    expect(await asked).toBe('Sekret#1');
    expect(shown).toBe('Password of anna: \n');
  });

  it('needs a terminal, or the first line of the input', async () => {
    await expect(askPassword(false, terminal(false))).rejects.toThrow('--password-stdin');
    const at = terminal(false);
    at.input.end('Sekret #1 \r\nmore\n');
    expect(await askPassword(true, at)).toBe('Sekret #1 ');
  });
});
