import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { RequestError } from './request-error.js';

interface IdempotentMutation<Input, Answer> extends Omit<
  UseMutationOptions<Answer, Error, Input>,
  'mutationFn' | 'onSettled'
> {
  /** What is wanted: the same again is another attempt, anything else is a request of its own. */
  requestOf: (input: Input) => string;
  send: (input: Input, idempotencyKey: string) => Promise<Answer>;
}

/** A mutation that is done once, however often it is tried before it is answered clearly. */
export function useIdempotentMutation<Input, Answer>({
  requestOf,
  send,
  ...options
}: IdempotentMutation<Input, Answer>) {
  const { keyFor, settle } = useIdempotencyKey();
  return useMutation({
    ...options,
    mutationFn: (input: Input) => send(input, keyFor(requestOf(input))),
    onSettled: (_answer, error) => settle(error),
  });
}

/**
 * One idempotency key per request of a person. An attempt that got no clear answer (no network, a server in
 * trouble) keeps its key, so that trying again cannot do it twice. A refusal is the answer to its key: trying again after one
 * is a new request, as things may have changed.
 */
function useIdempotencyKey() {
  const pending = useRef<{ wanted: string; key: string } | null>(null);
  const keyFor = useCallback((wanted: string) => {
    if (pending.current?.wanted !== wanted) pending.current = { wanted, key: newKey() };
    return pending.current.key;
  }, []);
  const settle = useCallback((error?: unknown) => {
    if (!isUnclear(error)) pending.current = null;
  }, []);
  return { keyFor, settle };
}

/** Refusals that decide nothing: what an earlier attempt did is as open as before. */
const UNDECIDED = [0, 401, 403, 429];

/** Whether an attempt that failed may have been carried out, or may be yet: trying again needs the same key. */
export function isUnclear(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const { status, problem } = error;
  return UNDECIDED.includes(status) || status >= 500 || problem?.code === 'ConcurrentChange';
}

/** A UUID; `randomUUID` is missing where the page does not come over a secure connection. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
