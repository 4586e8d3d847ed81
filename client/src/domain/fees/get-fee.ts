import { useQuery } from '@tanstack/react-query';
import { feeExplanationSchema } from '#contracts/audit/fee-explanation.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../query-keys.js';

/** Who asks: the reader for his own borrow, or an auditor, whose look is recorded. */
export type FeeAsker = 'owner' | 'auditor';

/** How the fee of a borrow came about. */
export function useFeeExplanation(asker: FeeAsker, borrowId: string) {
  return useQuery({
    queryKey: asker === 'owner' ? queryKeys.fee(borrowId) : queryKeys.auditFee(borrowId),
    queryFn: ({ signal }) =>
      asker === 'owner'
        ? request(feeExplanationSchema, 'Borrow/fee', { query: { borrowId }, signal })
        : request(feeExplanationSchema, `Audit/borrows/${borrowId}/fee`, { signal }),
    staleTime: 0,
    meta: { inPlace: true },
  });
}
