import { hashPassword, passwordMatches } from './passwords.js';
import * as m from '#words/messages.js';
import { refuseWeak, weaknessOf } from './weak-passwords.js';

const JAN = {
  username: 'jan.kowalski',
  email: 'Jan+books@poczta.example',
  firstname: 'Jan',
  lastname: 'Żółć',
};

describe('a weak password', () => {
  it.each(['password', 'Password1!', 'P@ssw0rd', '#Dr4gon#2026', 'QWERTY123', 'Summer#2026', 'letmein'])(
    'is one of the most common, with whatever is put around it: %s',
    async (password) => {
      expect(await weaknessOf(password, {})).toBe(m.password_too_common());
    },
  );

  it.each(['Kowalski#99', '#j4n.kow4lski', 'jAN%9382xyz', 'Zolc!Zolc1', 'x9-jan+books@poczta.example'])(
    'contains the name or the address: %s',
    async (password) => {
      expect(await weaknessOf(password, JAN)).toBe(m.password_with_own_name());
    },
  );

  it.each([
    'Zielony#Krokodyl9',
    'correct horse Battery 9',
    '7g!Kx2vQ',
    'Dragon#918273645501',
    'Poczta#Lotnicza77',
  ])('is not this one: %s', async (password) => {
    expect(await weaknessOf(password, JAN)).toBeUndefined();
  });

  it('is no reason where the name is too short to say anything', async () => {
    expect(await weaknessOf('Zielony#Krokodyl9', { username: 'zi', firstname: 'K' })).toBeUndefined();
  });

  it('is refused in production alone, with the reason and its field', async () => {
    const refused = refuseWeak({ NODE_ENV: 'production' }, 'newPassword', 'Password1!', {});
    await expect(refused).rejects.toMatchObject({
      errors: { newPassword: [`${m.password_too_common()} Please choose another.`] },
    });
    await refuseWeak({ NODE_ENV: 'development' }, 'newPassword', 'Password1!', {});
    await refuseWeak({ NODE_ENV: 'production' }, 'newPassword', 'Zielony#Krokodyl9', JAN);
  });
});

describe('a password', () => {
  // The same letters as one character each, and as a letter with its accent.
  const [composed, decomposed] = ['Za\u017c\u00f3\u0142\u0107#9', 'Zaz\u0307o\u0301\u0142c\u0301#9'];

  it('is the same, however a keyboard sends its accents', async () => {
    const stored = await hashPassword(decomposed);
    expect(await passwordMatches(stored, composed)).toBe(true);
    expect(await passwordMatches(stored, decomposed)).toBe(true);
    expect(await passwordMatches(stored, 'Zazolc#9')).toBe(false);
  });
});
