import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readReaderPanel } from '#contracts/accounts/reader-card.js';
import { keyOf } from '../../lib/api/send.js';

/** What a librarian changes of a reader's card and message; a refusal is shown where it was asked for. */
export function useReaderChange<Input>(
  id: string,
  change: (input: Input, query: { id: string }) => Promise<unknown>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input, { id }),
    meta: { inPlace: true },
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(readReaderPanel, { query: { id } }) }),
  });
}
