import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import {
  codeAppSchema,
  passkeyRequestSchema,
  recoveryCodesSchema,
} from '#contracts/accounts/second-factor.js';
import { makePasskey } from '../../../domain/identity/passkeys.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { request } from '../../../lib/api/request.js';

const AT = 'Account/second-factor';

/** A change of the signed-in user's second factors; a refusal is shown in its place. */
function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { inPlace: true },
    onSuccess: async () => {
      // The first one ends all other sessions.
      void client.invalidateQueries({ queryKey: queryKeys.sessions });
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors });
    },
  });
}

/** The secret of a new code app. It counts once its first code was given. */
export function useBeginCodeApp() {
  return useMutation({
    mutationFn: () => request(codeAppSchema, `${AT}/code-app`, { method: 'POST' }),
    meta: { inPlace: true },
  });
}

export function useConfirmCodeApp() {
  return useChange((code: string) =>
    request(recoveryCodesSchema, `${AT}/code-app/confirm`, { method: 'POST', body: { code } }),
  );
}

export function useRemoveCodeApp() {
  return useChange(() => request(messageAnswerSchema, `${AT}/code-app`, { method: 'DELETE' }));
}

export function useRenewRecoveryCodes() {
  return useChange(() => request(recoveryCodesSchema, `${AT}/recovery-codes`, { method: 'POST' }));
}

export function useAddPasskey() {
  return useChange(async (name: string) => {
    const asked = await request(passkeyRequestSchema, `${AT}/passkeys/options`, { method: 'POST' });
    const body = { ticket: asked.ticket, name, passkey: await makePasskey(asked) };
    return request(recoveryCodesSchema, `${AT}/passkeys`, { method: 'POST', body });
  });
}

export function useRenamePasskey() {
  return useChange(({ id, name }: { id: string; name: string }) =>
    request(messageAnswerSchema, `${AT}/passkeys/${id}`, { method: 'PUT', body: { name } }),
  );
}

export function useRemovePasskey() {
  return useChange((id: string) =>
    request(messageAnswerSchema, `${AT}/passkeys/${id}`, { method: 'DELETE' }),
  );
}
