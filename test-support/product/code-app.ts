import { Secret, TOTP } from 'otpauth';
import { callApi } from './caller.js';
import { TEST_PASSWORD } from './registrations.js';
import type { TestClock } from '../test-clock.js';

/** A code app that somebody begins to add. */
export async function beginCodeApp(url: string, token: string, clock: TestClock) {
  const { body } = await callApi(url, 'POST', 'Account/second-factor/code-app', { body: {}, token });
  const { secret, uri, qr } = body as Record<'secret' | 'uri' | 'qr', string>;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return {
    ...{ secret, uri, qr },
    /** The next code that was not used: puts the clock forward. */
    code: async () => {
      await clock.forward(30_000);
      return totp.generate({ timestamp: clock.now().getTime() });
    },
    confirm: (code: string) =>
      callApi(url, 'POST', 'Account/second-factor/code-app/confirm', { body: { code }, token }),
  };
}

/** Confirms a session by the password, and adds a code app in it. */
export async function addCodeApp(url: string, token: string, clock: TestClock) {
  await callApi(url, 'POST', 'Account/confirm', { body: { password: TEST_PASSWORD }, token });
  const app = await beginCodeApp(url, token, clock);
  const { status, body } = await app.confirm(await app.code());
  if (status !== 200) throw new Error(`The first code was answered ${status}.`);
  return { ...app, recoveryCodes: body.recoveryCodes as string[] };
}
