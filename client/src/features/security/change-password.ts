import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangePasswordBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema, readerSchema } from '#contracts/accounts/account-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePasswordBody) =>
      request(messageAnswerSchema, 'Account/change-password', { method: 'POST', body }),
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      void client.invalidateQueries({ queryKey: queryKeys.sessions });
    },
  });
}

/** The address of the account, which a password should not contain. Without it the form does without. */
export function useOwnEmail(accountId: string): string | undefined {
  const profile = useQuery({
    queryKey: queryKeys.profile(accountId),
    queryFn: ({ signal }) => request(readerSchema, 'User/profile', { signal }),
    meta: { inPlace: true },
  });
  return profile.data?.email;
}
