import { useQuery } from '@tanstack/react-query';
import type { ConfirmEmailBody } from '#contracts/accounts/account-requests.js';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';

/**
 * Confirms the e-mail address as soon as the page is opened. Asked as a query, so that the page being drawn twice
 * confirms it once.
 */
export function useConfirmEmail(body: ConfirmEmailBody, enabled: boolean) {
  return useQuery({
    queryKey: ['confirm-email', body],
    queryFn: () => request(messageAnswerSchema, 'Account/confirm-email', { method: 'POST', body }),
    enabled,
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { inPlace: true },
  });
}
