import { useQuery } from '@tanstack/react-query';
import { explainFee, explainOwnFee } from '#contracts/audit/audit-calls.js';
import { queryOf } from '../../lib/api/send.js';

/** Who asks: readers for a borrow of their own, or an auditor, whose look is recorded. */
export type FeeAsker = 'owner' | 'auditor';

/** How the fee of a borrow came about. */
export function useFeeExplanation(asker: FeeAsker, borrowId: string) {
  const isOwn = asker === 'owner';
  const rest = { staleTime: 0, meta: { inPlace: true } };
  const own = useQuery({ ...queryOf(explainOwnFee, { query: { borrowId } }), ...rest, enabled: isOwn });
  const others = useQuery({ ...queryOf(explainFee, { params: { borrowId } }), ...rest, enabled: !isOwn });
  return isOwn ? own : others;
}
