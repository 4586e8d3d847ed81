import { useMutation } from '@tanstack/react-query';
import type { LoginBody } from '#contracts/accounts/account-requests.js';
import { signedInUserSchema } from '#contracts/accounts/account-views.js';
import {
  loginAnswerSchema,
  passkeyRequestSchema,
  type SecondFactorBody,
} from '#contracts/accounts/second-factor.js';
import { request } from '../../lib/api/request.js';
import { askForPasskey } from '../../domain/identity/passkeys.js';

function logIn(body: LoginBody) {
  return request(loginAnswerSchema, 'Account/login', { method: 'POST', body });
}

/** Signs in, or asks for the second factor; a refusal is shown on the form. */
export function useLogIn() {
  return useMutation({ mutationFn: logIn, meta: { inPlace: true } });
}

/** A code, a recovery code, or whatever passkey the browser gives. */
export type SecondProof = Pick<SecondFactorBody, 'code' | 'recoveryCode'> | 'passkey';

async function giveSecondFactor({ ticket, proof }: { ticket: string; proof: SecondProof }) {
  const given = proof === 'passkey' ? (await provenByPasskey({ ticket })).proven : proof;
  const body = { ticket, ...given };
  return request(signedInUserSchema, 'Account/login/second-factor', { method: 'POST', body });
}

/** Completes a login by the second factor; a refusal is shown on the form. */
export function useSecondFactor() {
  return useMutation({ mutationFn: giveSecondFactor, meta: { inPlace: true } });
}

async function logInByPasskey() {
  const { ticket, proven } = await provenByPasskey({});
  return request(signedInUserSchema, 'Account/login/passkey', {
    method: 'POST',
    body: { ticket, ...proven },
  });
}

/** Signs in by a passkey alone; a refusal is shown on the form. */
export function usePasskeyLogIn() {
  return useMutation({ mutationFn: logInByPasskey, meta: { inPlace: true } });
}

async function provenByPasskey(body: { ticket?: string }) {
  const asked = await request(passkeyRequestSchema, 'Account/login/passkey-options', {
    method: 'POST',
    body,
  });
  return { ticket: asked.ticket, proven: { passkey: await askForPasskey(asked) } };
}
