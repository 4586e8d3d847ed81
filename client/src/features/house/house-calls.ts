import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { backupAskedSchema, houseViewSchema } from '#contracts/dashboard/house.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

const EVERY_MS = 5_000;
const DURING_BACKUP_MS = 1_500;

/** The state of the house; asked for again and again while the page is open. */
export function useHouse() {
  return useQuery({
    queryKey: queryKeys.house,
    queryFn: ({ signal }) => request(houseViewSchema, 'Dashboard/house', { signal }),
    refetchInterval: ({ state }) => (state.data?.backups.running ? DURING_BACKUP_MS : EVERY_MS),
    meta: { inPlace: true },
  });
}

export function useBackUpNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(backupAskedSchema, 'Dashboard/house/backup', { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.house }),
    meta: { inPlace: true },
  });
}
