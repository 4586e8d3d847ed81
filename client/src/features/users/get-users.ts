import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  readerPageSchema,
  readerSchema,
  roleChangesSchema,
  type ReaderListQuery,
} from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

/** A page of the readers; the previous page stays while the next one loads. */
export function useUsers(query: ReaderListQuery) {
  return useQuery({
    queryKey: queryKeys.readerPage(query),
    queryFn: ({ signal }) => request(readerPageSchema, 'User', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** A reader as they are now. */
export function getUser(id: string) {
  return request(readerSchema, `User/userId/${id}`);
}

/** Which roles were given to a reader and taken from them, the latest first. */
export function useRoleChanges(id: string) {
  return useQuery({
    queryKey: queryKeys.roleChanges(id),
    queryFn: ({ signal }) => request(roleChangesSchema, 'User/role-changes', { query: { id }, signal }),
    meta: { inPlace: true },
  });
}
