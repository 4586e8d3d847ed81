import { useSearchParams } from 'react-router-dom';
import type { HistoryKey, HistoryOrder } from './history-order.js';

const KEYS: readonly HistoryKey[] = ['rentDate', 'issueDate', 'dueDate', 'returnDate'];

interface HistoryAddress {
  words: string;
  page: number;
  order: HistoryOrder;
}

/** Search, page and order of the history live in the address. */
export function useHistoryAddress() {
  const [params, setParams] = useSearchParams();
  const page = Number(params.get('page') ?? 1);
  const address: HistoryAddress = {
    words: params.get('q') ?? '',
    page: Number.isInteger(page) && page >= 1 ? page : 1,
    order: {
      key: KEYS.find((key) => key === params.get('sort')) ?? 'rentDate',
      descending: params.get('direction') !== 'Ascending',
    },
  };
  const change = (changes: Partial<HistoryAddress>) => {
    const { words, page: next, order } = { ...address, ...changes };
    const after: Record<string, string> = {};
    if (words !== '') after.q = words;
    if (next > 1) after.page = String(next);
    if (order.key !== 'rentDate') after.sort = order.key;
    if (!order.descending) after.direction = 'Ascending';
    setParams(after, { replace: changes.page === undefined || next === 1, preventScrollReset: true });
  };
  return { ...address, change };
}
