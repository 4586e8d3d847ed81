import { pageParameter, useAddress } from '../../lib/use-address.js';

const ADDRESS = { pageNumber: { ...pageParameter, fromTop: true } } as const;

/** Which page of a list the address names. */
export const useListPages = () => useAddress(ADDRESS);
