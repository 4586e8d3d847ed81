import { queryOptions, type QueryKey, type UseMutationOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Answered, Call, Sent } from '#contracts/call.js';
import { request, requestFile, type RequestOptions } from './request.js';
import { useIdempotentMutation } from './use-idempotent-mutation.js';

type More = Pick<RequestOptions, 'idempotencyKey' | 'signal'>;
type Input<C extends Call> =
  object extends Sent<C> ? [sent?: Sent<C>, more?: More] : [sent: Sent<C>, more?: More];
interface Parts {
  params?: Record<string, string | number>;
  query?: NonNullable<RequestOptions['query']>;
  body?: unknown;
}

/** Makes a call and checks the answer against its contract. Throws RequestError when it is refused. */
export function send<C extends Call>(call: C, ...[sent, more]: Input<C>): Promise<Answered<C>> {
  const answer = call.answer as z.ZodType<Answered<C>>;
  return request(answer, pathOf(call, sent as Parts), optionsOf(call, sent as Parts, more));
}

/** Makes a call for a file. Throws RequestError when it is refused, or broken off before the file's end. */
export function sendForFile<C extends Call>(call: C, ...[sent, more]: Input<C>): Promise<Blob> {
  return requestFile(pathOf(call, sent), optionsOf(call, sent, more));
}

function optionsOf({ method }: Call, { query, body }: Parts = {}, more: More = {}): RequestOptions {
  return { method, ...(query && { query }), ...(body !== undefined && { body }), ...more };
}

function pathOf({ path }: Call, { params = {} }: Parts = {}): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name])));
}

/**
 * The key of a call in the cache: its path, part by part, and what is asked. Without parameters it is the key of all calls below
 * what is known of the path.
 * @param of whose answer it is, where the call does not say
 */
export function keyOf<C extends Call>(call: C, sent: Partial<Sent<C>> = {}, of?: string): QueryKey {
  const { params = {}, query = {} } = sent as Parts;
  const parts = call.path.split('/').map((part) => (part.startsWith(':') ? params[part.slice(1)] : part));
  const unknown = parts.indexOf(undefined);
  if (unknown >= 0) return parts.slice(0, unknown);
  return [...parts, ...(of === undefined ? [] : [of]), query];
}

/** A reading call as a query: `useQuery(queryOf(readBorrow, { query: { borrowId } }))`. */
export function queryOf<C extends Call>(call: C, ...[sent]: Input<C>) {
  return queryOptions({
    queryKey: keyOf(call, sent),
    queryFn: ({ signal }) => send(call, ...([sent, { signal }] as unknown as Input<C>)),
  });
}

/** A mutation that makes a call. One that takes a key is made once, however often it is tried before it is answered clearly. */
export function useCall<C extends Call>(
  call: C,
  options: Omit<UseMutationOptions<Answered<C>, Error, Sent<C>>, 'mutationFn' | 'onSettled'> = {},
) {
  return useIdempotentMutation<Sent<C>, Answered<C>>({
    ...options,
    requestOf: (sent) => JSON.stringify(sent),
    send: (sent, idempotencyKey) =>
      send(call, ...([sent, call.keyed ? { idempotencyKey } : {}] as unknown as Input<C>)),
  });
}
