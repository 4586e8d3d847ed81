import { useMutation } from '@tanstack/react-query';
import {
  confirmedSchema,
  passkeyRequestSchema,
  type ConfirmBody,
} from '#contracts/accounts/second-factor.js';
import { request } from '../../lib/api/request.js';
import { askForPasskey } from './passkeys.js';

/** A password, a code, or whatever passkey the browser gives. */
export type Proof = Pick<ConfirmBody, 'password' | 'code'> | 'passkey';

async function confirm(proof: Proof) {
  const body = proof === 'passkey' ? { passkey: await passkeyProof() } : proof;
  return request(confirmedSchema, 'Account/confirm', { method: 'POST', body });
}

async function passkeyProof() {
  const asked = await request(passkeyRequestSchema, 'Account/confirm/passkey-options', { method: 'POST' });
  return { ticket: asked.ticket, passkey: await askForPasskey(asked) };
}

/** Proves again who is at the screen; a refusal is shown in its place. */
export function useConfirm() {
  return useMutation({ mutationFn: confirm, meta: { inPlace: true } });
}
