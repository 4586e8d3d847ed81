import { randomBytes } from 'node:crypto';
import type { RegisterBody } from '#contracts/accounts/account-requests.js';

export const TEST_PASSWORD = 'Sekret#2026';

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
