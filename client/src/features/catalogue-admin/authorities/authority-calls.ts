import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { PickerProps } from '../../../components/form/picker.js';
import { MAX_SHOWN_OPTIONS, type PickerOption } from '../../../components/form/picker-options.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import type { Authority, AuthorityKind } from './authority-kinds.js';

/** What a choice is made from. */
export type Offered = Pick<PickerProps, 'options' | 'isFound' | 'isSearching' | 'onRetry'>;

/** What was saved, as a choice shows it. */
export type Named = PickerOption;

/** What is sent: a new authority, or the changed one that was opened. */
export interface AuthoritySave<Body, Item> {
  body: Body;
  edited: Item | undefined;
}

/** A page of them; the previous page stays while the next one loads. */
export function useAuthorityPage<Item extends Authority & Body, Body extends object, Sort extends string>(
  { name, noun, page }: AuthorityKind<Item, Body, Sort>,
  query: { SortBy: Sort; SearchTerm: string; pageNumber: number; pageSize: number },
) {
  return useQuery({
    queryKey: queryKeys.authorityPage(noun[1], query),
    queryFn: ({ signal }) => request(page, `${name}/paginated`, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Milliseconds without another letter after which the server is asked. */
const PAUSE_MS = 250;

/**
 * Those to choose from in the book form: the first by name, and where there are more than one answer has, those that the server
 * finds for what is typed.
 */
export function useAuthorityOptions<Item extends Authority & Body, Body extends object, Sort extends string>(
  { name, noun, list, nameOf }: AuthorityKind<Item, Body, Sort>,
  typed: string,
): Offered {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(typed.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);
  const listOf = (SearchTerm: string) => ({
    queryKey: queryKeys.authorityList(noun[1], SearchTerm),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      request(list, name, { query: { SearchTerm, pageSize: MAX_SHOWN_OPTIONS }, signal }),
    select: (items: Item[]) => items.map((item): PickerOption => ({ id: item.id, name: nameOf(item) })),
    meta: { inPlace: true },
  });
  const first = useQuery(listOf(''));
  const isFound = first.isSuccess && first.data.length >= MAX_SHOWN_OPTIONS && typed.trim() !== '';
  const isSettled = settled === typed.trim();
  const found = useQuery({ ...listOf(settled), enabled: isFound && isSettled });
  const shown = isFound ? found : first;
  return {
    options: shown.data,
    isFound,
    isSearching: isFound && (!isSettled || found.isPending) && !found.isError,
    onRetry: shown.isError ? () => void shown.refetch() : undefined,
  };
}

/** Adds or updates; the dialog stays open after a failure, and shows it too. */
export function useSaveAuthority<Item extends Authority & Body, Body extends object, Sort extends string>({
  name,
  noun,
  one,
  nameOf,
  notAdded,
  notUpdated,
}: AuthorityKind<Item, Body, Sort>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, edited }: AuthoritySave<Body, Item>): Promise<Named> => {
      const saved = edited
        ? await request(one, `${name}/${edited.id}`, {
            method: 'PUT',
            body: { id: edited.id, ...body, version: edited.version },
          })
        : await request(one, `${name}/add`, { method: 'POST', body });
      return { id: saved.id, name: nameOf(saved) };
    },
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(`${name} successfully ${edited ? 'updated' : 'added'}`);
      void client.invalidateQueries({ queryKey: queryKeys.authorities(noun[1]) });
      // Books are shown with its name.
      if (edited) void client.invalidateQueries({ queryKey: queryKeys.books });
    },
    onError: (error, { edited }) => {
      // If the session has ended, the page says so once and goes to the login.
      if (!(error instanceof RequestError && error.status === 401))
        notify.error(edited ? notUpdated : notAdded);
    },
  });
}

export function useDeleteAuthority<Item extends Authority & Body, Body extends object, Sort extends string>({
  noun,
  deletion,
  deleted,
}: AuthorityKind<Item, Body, Sort>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Item) => {
      const [path, query] = deletion(id);
      return request(z.unknown(), path, { method: 'DELETE', ...(query && { query }) });
    },
    meta: { inPlace: true },
    onSuccess: () => notify.success(deleted),
    // After a refusal too: the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.authorities(noun[1]) }),
  });
}
