import type { RegisterBody } from '#contracts/accounts/account-calls.js';
import { randomBytes } from 'node:crypto';

export const TEST_PASSWORD = 'Sekret#2026';

/** Of that password, for tests that sign in often: as quick to check as argon2id can be. */
export const TEST_PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$GoOfAh8PVoUp0324bRxOXA$F3pYyoYdYTJ0YVmaHdpv9u2ChObMs2rjH0k6GlPWfAU';

/** A registration that holds, under a name nobody has yet. */
export function registration(changes: Partial<RegisterBody> = {}): RegisterBody {
  const username = changes.username ?? `reader-${randomBytes(5).toString('hex')}`;
  return {
    username,
    email: `${username}@example.org`.toLowerCase(),
    password: TEST_PASSWORD,
    confirmPassword: TEST_PASSWORD,
    firstname: 'Zofia',
    lastname: 'Wiśniewska',
    dateOfBirth: '1990-04-12',
    gender: 'Female',
    country: 'Poland',
    adress: 'ul. Długa 7',
    city: 'Kraków',
    postalCode: '31-146',
    ...changes,
  };
}
