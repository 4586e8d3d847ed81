import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  answerWaiverRequest,
  listWaiverRequests,
  type WaiverAnswer,
  type WaiverRequest,
} from '#contracts/borrowing/waiver-requests.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { WorkHead } from '../../components/display/work-head.js';
import { Button } from '../../components/form/button.js';
import { TypedField } from '../../components/form/field.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { relativeTime } from '../../lib/dates.js';
import { notify } from '../../lib/notify.js';
import { useMay } from '../../lib/session.js';
import { useNow } from '../../lib/use-now.js';
import { amountText } from '../fees/money.js';
import { useAskingInterval } from '../live/live-status.js';
import { invalidate, queryKeys } from '../query-keys.js';
import { StaffLink } from '../staff-link.js';
import { BorrowLink } from './borrow-link.js';
import { WAIVER_LABELS } from './waive-fee.js';

/** Requests to waive fees, for who may waive. */
function useWaiverRequests(): readonly WaiverRequest[] {
  const enabled = useMay(listWaiverRequests);
  const requests = useQuery({
    ...queryOf(listWaiverRequests),
    enabled,
    refetchInterval: useAskingInterval(),
  });
  return (enabled && requests.data) || [];
}

/** Those that wait for the person, and what became of their own; nothing where there is none. */
export function WaiversToday() {
  const requests = useWaiverRequests().filter(({ isOwn, mayBe }) => isOwn || mayBe.length > 0);
  const waiting = requests.filter(({ mayBe }) => mayBe.includes('approve'));
  if (requests.length === 0) return null;
  return (
    <section className="mb-6" data-work="waivers" aria-labelledby="work-waivers">
      <WorkHead work="waivers" title={m.dashboard_waivers()} total={waiting.length || undefined} />
      <ul role="list">
        {requests.map((request) => (
          <li key={request.id} className="py-3 border-b border-line" data-waiver={request.state}>
            <p className="flex flex-wrap items-baseline gap-x-3">
              <BorrowLink
                id={request.borrow.id}
                className="text-ink font-serif text-2 no-underline wrap-anywhere hover:underline"
              >
                {request.borrow.titles.join(', ')}
              </BorrowLink>
              <span className="text-1 [&_a]:text-ink [&_a]:[text-decoration-color:var(--line-strong)]">
                <StaffLink to={`/admin/readers/${request.borrow.user.id}`}>
                  {request.borrow.user.fullname}
                </StaffLink>
              </span>
            </p>
            <Request request={request} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same of one borrow, above everything else that is known of it. */
export function WaiversOfBorrow({ id }: { id: string }) {
  return useWaiverRequests()
    .filter(({ borrow }) => borrow.id === id)
    .map((request) => (
      <div
        key={request.id}
        className="mb-4 py-3 px-4 border-l-3 border-accent-text rounded bg-accent-wash"
        data-waiver={request.state}
      >
        <Request request={request} />
      </div>
    ));
}

/** What was asked, what became of it, and what the person can do with it. */
function Request({ request }: { request: WaiverRequest }) {
  const { id, amount, due, reason, note, askedBy, askedAt, isOwn, mayBe } = request;
  const client = useQueryClient();
  const now = useNow(true);
  const [declining, setDeclining] = useState(false);
  const refresh = () => invalidate(client, queryKeys.borrows, queryKeys.today);
  const answer = useCall(answerWaiverRequest, {
    meta: { inPlace: true },
    onSuccess: ({ state }) => {
      refresh();
      if (state !== 'approved') return;
      const waived = m.borrow_waived_of({ amount: amountText(amount) });
      notify.success(waived, { detail: m.borrow_waiver_asker({ name: askedBy }) });
    },
    // Somebody else may have answered it.
    onError: refresh,
  });
  const give = (word: WaiverAnswer) =>
    answer.mutate(
      { params: { id }, body: { answer: word } },
      { onError: (error) => notify.error(sentenceOf(error)) },
    );
  const asked = { name: askedBy, amount: amountText(amount), due: amountText(due) };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-1">
      <div className="flex-1 min-w-[min(100%,16rem)]">
        <p className="tabular-nums">
          {isOwn ? m.borrow_waiver_own(asked) : m.borrow_waiver_of(asked)}
          <span className="quiet">, {WAIVER_LABELS[reason].within}</span>
        </p>
        {note !== null && <p className="wrap-anywhere">{m.fees_title({ title: note })}</p>}
        <p className="note">{request.state === 'open' ? relativeTime(askedAt, now) : outcomeOf(request)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {mayBe.includes('approve') && (
          <Button size="small" look="primary" busy={answer.isPending} onClick={() => give('approve')}>
            {m.borrow_waiver_approve()}
          </Button>
        )}
        {mayBe.includes('decline') && (
          <Button size="small" busy={answer.isPending} onClick={() => setDeclining(true)}>
            {m.borrow_waiver_decline()}
          </Button>
        )}
        {mayBe.includes('withdraw') && (
          <Button size="small" busy={answer.isPending} onClick={() => give('withdraw')}>
            {m.borrow_waiver_withdraw()}
          </Button>
        )}
      </div>
      {declining && <Decline request={request} command={answer} onClose={() => setDeclining(false)} />}
    </div>
  );
}

interface DeclineProps {
  request: WaiverRequest;
  command: ReturnType<typeof useCall<typeof answerWaiverRequest>>;
  onClose: () => void;
}

/** Whoever asked is told why. */
function Decline({ request: { id, askedBy, amount }, command, onClose }: DeclineProps) {
  const [note, setNote] = useState('');
  return (
    <CommandDialog
      title={m.borrow_waiver_decline_title()}
      lead={m.borrow_waiver_decline_lead({ name: askedBy, amount: amountText(amount) })}
      action={m.borrow_waiver_decline()}
      command={command}
      onSubmit={() =>
        command.mutate(
          { params: { id }, body: { answer: 'decline', note: note.trim() } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <TypedField label={m.common_reason()} maxLength={500} value={note} onValue={setNote} />
    </CommandDialog>
  );
}

function outcomeOf({ state, answeredBy, answer }: WaiverRequest): string {
  const name = answeredBy ?? m.account_removed();
  if (state === 'approved') return m.borrow_waiver_approved({ name });
  if (state === 'declined') return m.borrow_waiver_declined({ name, note: answer ?? '' });
  return m.borrow_waiver_overtaken();
}
