import {
  EVENT_GROUPS,
  isSuccess,
  type Delivery,
  type Webhook,
  type WebhookChange,
} from '#contracts/webhooks/webhooks.js';
import * as m from '#words/messages.js';
import { isoMinute } from '../../lib/dates.js';

const LABELS = new Map(
  EVENT_GROUPS.flatMap(({ kinds }) => Object.entries(kinds).map(([kind, { label }]) => [kind, label()])),
);

/** What an event is called; one of a newer release by its own name. */
export const kindText = (kind: string | null): string =>
  kind === null ? m.webhooks_test() : (LABELS.get(kind) ?? kind);

const OFF: Record<NonNullable<Webhook['offWhy']>, (since: { since: string }) => string> = {
  admin: m.webhooks_off_admin,
  gone: m.webhooks_off_gone,
  'gave-up': m.webhooks_off_gave_up,
};

/** How it is with a webhook. */
export function stateText({ offWhy, offSince, failingSince, nextTry, lastAt }: Webhook): string {
  if (offWhy) return OFF[offWhy]({ since: isoMinute(offSince ?? '') });
  if (failingSince)
    return m.webhooks_failing({ since: isoMinute(failingSince), next: isoMinute(nextTry ?? '') });
  return lastAt ? m.webhooks_on({ last: isoMinute(lastAt) }) : m.webhooks_on_new();
}

const PROBLEMS: Record<NonNullable<Delivery['problem']>, string> = {
  'not-public': m.webhooks_problem_not_public(),
  unreachable: m.webhooks_problem_unreachable(),
  tls: m.webhooks_problem_tls(),
  timeout: m.webhooks_problem_timeout(),
  secret: m.webhooks_problem_secret(),
};

/** What came of a try. */
export function answerText({ status, problem, answer }: Delivery): string {
  if (problem) return PROBLEMS[problem];
  const code = status ?? 0;
  if (isSuccess(code)) return m.webhooks_taken({ code });
  if (code >= 300 && code < 400) return m.webhooks_redirected({ code });
  return answer === '' ? m.webhooks_refused({ code }) : m.webhooks_refused_saying({ code, answer });
}

/** What an admin did. */
export const CHANGE_TEXTS: Record<WebhookChange, string> = {
  added: m.webhooks_change_added(),
  address: m.webhooks_change_address(),
  kinds: m.webhooks_change_kinds(),
  names: m.webhooks_change_names(),
  secret: m.webhooks_change_secret(),
  stopped: m.webhooks_change_stopped(),
  now: m.webhooks_change_now(),
  again: m.webhooks_change_again(),
  off: m.webhooks_change_off(),
  removed: m.webhooks_change_removed(),
};
