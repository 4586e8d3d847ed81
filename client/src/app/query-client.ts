import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import * as m from '#words/messages.js';
import { appNavigation } from '../lib/app-navigation.js';
import { RequestError, sentenceOf, UNEXPECTED } from '../lib/api/request-error.js';
import { recentMessages, knownBorrows } from '../domain/live/recent-messages.js';
import { notify } from '../lib/notify.js';
import { queryKeys } from '../domain/query-keys.js';
import { session } from '../lib/session.js';
import { leadToSecondFactor, endSession } from './session-end.js';
import type { Problem } from '#contracts/problem.js';

function react(error: unknown, failed: Omit<FailedCall, 'signedIn'>): void {
  // Not an answer of the server but a defect of ours: log it in the browser.
  if (!(error instanceof RequestError)) window.reportError?.(error);
  const reaction = reactionTo(error, { ...failed, signedIn: session.current() !== null });
  switch (reaction.kind) {
    case 'nothing':
      return;
    case 'toast':
      return notify.error(reaction.message, reaction.title);
    case 'notFound':
      return void appNavigation.go('/not-found');
    case 'serverError':
      return void appNavigation.go('/server-error', { problem: reaction.problem });
    case 'sessionOver':
      return endSession();
    case 'secondFactor':
      return leadToSecondFactor();
  }
}

/** Milliseconds after which somebody has waited long enough to be told. */
const LONG = 3_000;
/** Milliseconds between two tries of what a screen shows as failed. */
const TRY_AGAIN = 5_000;

/** A retry helps if no answer came, not if the answer was a refusal. What took long is told at once. */
function isWorthAnotherTry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof RequestError && error.isPassing && error.took < LONG;
}

/** What failed as the library was away is asked for again while it is on the screen. */
function untilItIsBack({ state }: Query<unknown, Error>): number | false {
  return state.error instanceof RequestError && state.error.isPassing ? TRY_AGAIN : false;
}

/** What staff see, each of them what they may. */
const forStaff = [
  queryKeys.queue,
  queryKeys.readerPages,
  queryKeys.roleChanges,
  queryKeys.stats,
  queryKeys.today,
  queryKeys.lastEvents,
  queryKeys.readerPanels,
  queryKeys.reports,
  queryKeys.jobQueues,
  queryKeys.holds,
  queryKeys.duplicates,
  queryKeys.merges,
  queryKeys.followers,
  queryKeys.audit,
  queryKeys.insight,
  queryKeys.rules,
];

type CallOptions = { inPlace?: boolean | ((error: unknown) => boolean) };

function isInPlace({ inPlace = false }: CallOptions = {}, error: unknown): boolean {
  return typeof inPlace === 'function' ? inPlace(error) : inPlace;
}

/** The query cache, with the global handling of failed calls. */
export function createAppQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query: Query<unknown, unknown>) =>
        react(error, {
          call: 'query',
          inPlace: isInPlace(query.meta, error),
          background: query.state.data !== undefined,
        }),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) =>
        react(error, { call: 'command', inPlace: isInPlace(mutation.meta, error) }),
    }),
    defaultOptions: {
      queries: {
        retry: isWorthAnotherTry,
        retryDelay: 600,
        staleTime: 10_000,
        refetchInterval: untilItIsBack,
      },
      // A command is sent at once or fails at once; it is never sent later, unnoticed.
      mutations: { retry: false, networkMode: 'always' },
    },
  });

  // The next person at the same machine must not see this person's data.
  let reader = session.current()?.id;
  let permissions = session.current()?.permissions ?? [];
  session.subscribe(() => {
    const next = session.current()?.id;
    const before = permissions;
    permissions = session.current()?.permissions ?? [];
    if (next === reader) {
      const hasLost = before.some((each) => !permissions.includes(each));
      if (hasLost) forStaff.forEach((queryKey) => client.removeQueries({ queryKey }));
      return;
    }
    reader = next;
    knownBorrows.forget();
    recentMessages.forget();
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.books[0] });
  });
  return client;
}

/** What the page does about a call that failed. */
type Reaction =
  | { kind: 'nothing' }
  | { kind: 'toast'; message: string; title?: string }
  | { kind: 'notFound' }
  | { kind: 'serverError'; problem: Problem | null }
  | { kind: 'sessionOver' }
  /** The account needs a second factor before anything else. */
  | { kind: 'secondFactor' };

export interface FailedCall {
  /** A query or a command. */
  call: 'query' | 'command';
  signedIn: boolean;
  /** The screen that asked shows the failure itself. */
  inPlace?: boolean;
  /** The call refreshed what is already on the screen. */
  background?: boolean;
}

/** Global handling of failed calls by status (specification, section 8). Specific words beat general ones. */
export function reactionTo(error: unknown, { call, signedIn, inPlace, background }: FailedCall): Reaction {
  if (!(error instanceof RequestError)) {
    return call === 'command' && !inPlace ? { kind: 'toast', message: UNEXPECTED } : { kind: 'nothing' };
  }
  if (error.status === 401 && signedIn) return { kind: 'sessionOver' };
  if (error.problem?.code === 'SecondFactorRequired') return { kind: 'secondFactor' };
  // The person declined to confirm: nothing is to be said about that.
  if (error.problem?.code === 'ConfirmationNeeded') return { kind: 'nothing' };
  if (inPlace || background) return { kind: 'nothing' };
  const text = error.statusText || (error.problem?.title ?? '');
  const title = m.site_refused({ status: String(error.status), text }).trim();
  switch (error.status) {
    case 400:
      // The caller shows them under their fields.
      if (error.fieldErrors) return { kind: 'nothing' };
      // The words of a text take the place of the status text (specification, section 8).
      if (error.words) return { kind: 'toast', message: error.words, title: String(error.status) };
      return { kind: 'toast', message: sentenceOf(error, error.statusText || UNEXPECTED), title };
    case 401:
    case 403:
      return { kind: 'toast', message: sentenceOf(error, error.statusText || UNEXPECTED), title };
    case 404:
      // A command that misses keeps the person, and the cart, where they are.
      return call === 'query' ? { kind: 'notFound' } : { kind: 'toast', message: sentenceOf(error) };
    case 500:
      return { kind: 'serverError', problem: error.problem };
    default:
      // A list that failed says so in its own place, with a way to retry.
      return call === 'query' ? { kind: 'nothing' } : { kind: 'toast', message: sentenceOf(error) };
  }
}
