import { decodeJwt, SignJWT } from 'jose';
import { derivedKey, SigningKeys } from './signing-keys.js';

const OLD = 'the-old-secret-of-more-than-32-characters';
const NEW = 'the-new-secret-of-more-than-32-characters';
const NOW = new Date('2026-11-22T12:00:00Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

describe('the keys of tokens', () => {
  const token = (hours = 8) =>
    new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(hoursLater(hours));
  const at = (currentDate: Date) => ({ algorithms: ['HS256'], currentDate });
  const rotated = new SigningKeys({ JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: [OLD] });
  const kept = new SigningKeys({
    JWT_SECRET: NEW,
    storedPreviousSecrets: [{ secret: OLD, until: hoursLater(8) }],
  });
  const before = new SigningKeys({ JWT_SECRET: OLD });

  it.each([
    ['named by a setting', rotated],
    ['kept for a while', kept],
  ])('go on accepting what was signed before a change, with the old secret %s', async (_name, keys) => {
    const old = await before.sign(token());
    await expect(keys.verify(old, at(hoursLater(7)))).resolves.toMatchObject(decodeJwt(old));
    const fresh = await keys.sign(token());
    await expect(keys.verify(fresh, at(NOW))).resolves.toEqual(decodeJwt(fresh));
    await expect(before.verify(fresh, at(NOW))).rejects.toThrow('signature verification failed');
    await expect(new SigningKeys({ JWT_SECRET: NEW }).verify(fresh, at(NOW))).resolves.toBeDefined();
  });

  it('refuse what the old secret signed once it is not accepted any longer', async () => {
    const forged = await before.sign(token(1000));
    await expect(kept.verify(forged, at(hoursLater(8)))).rejects.toThrow('signature verification failed');
    const gone = new SigningKeys({ JWT_SECRET: NEW });
    await expect(gone.verify(forged, at(NOW))).rejects.toThrow('signature verification failed');
  });

  it('let no token outlive the key that signed it', async () => {
    const forged = await before.sign(token(1000));
    const { exp } = await kept.verify(forged, at(NOW));
    expect(exp).toBe(hoursLater(8).getTime() / 1000);
  });

  it('say that a token has expired, whichever of them signed it', async () => {
    for (const keys of [before, rotated]) {
      await expect(rotated.verify(await keys.sign(token(1)), at(hoursLater(2)))).rejects.toMatchObject({
        code: 'ERR_JWT_EXPIRED',
      });
    }
  });

  it('are others for each purpose', async () => {
    const tickets = new SigningKeys({ JWT_SECRET: NEW }, 'tickets');
    const sessions = new SigningKeys({ JWT_SECRET: NEW });
    await expect(sessions.verify(await tickets.sign(token()), at(NOW))).rejects.toThrow('signature');
    await expect(tickets.verify(await sessions.sign(token()), at(NOW))).rejects.toThrow('signature');
    expect(derivedKey(NEW, 'one')).not.toEqual(derivedKey(NEW, 'two'));
    expect(derivedKey(NEW, 'one')).not.toEqual(derivedKey(OLD, 'one'));
  });
});
