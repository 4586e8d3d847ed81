import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { backUpNow, readHouse } from '#contracts/dashboard/system-status.js';
import { keyOf, queryOf, send } from '../../lib/api/send.js';

const EVERY_MS = 5_000;
const DURING_BACKUP_MS = 1_500;

/** The state of the house; asked for again and again while the page is open. */
export function useSystemStatus() {
  return useQuery({
    ...queryOf(readHouse),
    refetchInterval: ({ state }) => (state.data?.backups.running ? DURING_BACKUP_MS : EVERY_MS),
    meta: { inPlace: true },
  });
}

export function useBackUpNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(backUpNow),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(readHouse) }),
    meta: { inPlace: true },
  });
}
