import { pageParameter, useAddress } from '../../lib/use-address.js';

const ADDRESS = { page: { ...pageParameter, fromTop: true } } as const;

/** Which page of a list the address names, and what turns to another. */
export function useListPages() {
  const [{ page }, change] = useAddress(ADDRESS);
  return { page, onPage: (next: number) => change({ page: next }) };
}
