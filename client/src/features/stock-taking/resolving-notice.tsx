import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Meter } from '../../components/display/meter.js';
import { Notice } from '../../components/dialog/notice.js';
import { inGroups } from '../../lib/texts.js';
import { DONE_LABELS } from './labels.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sent } from '#contracts/call.js';
import {
  MAX_RESOLVED,
  resolveFindings,
  undoResolutions,
  type FindingKind,
  type ResolvedAnswer,
  type ResolvingAction,
  type Finding,
} from '#contracts/stock-taking/stock-taking.js';
import { queryKeys } from '../../domain/query-keys.js';
import { send, useCall } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';
import { takeBackBooks } from '#contracts/borrowing/borrow-calls.js';
import { ofBorrow } from '../../domain/borrowing/borrow-texts.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { notify } from '../../lib/notify.js';

/** Refusals that are named one by one. */
const NAMED = 5;

interface ResolvingNoticeProps {
  run: Resolving | null;
  onUndo: (run: Resolving) => void;
}

/** How far it is, what came of it, and the way back. */
export function ResolvingNotice({ run, onUndo }: ResolvingNoticeProps) {
  if (!run) return null;
  const { what, running, done, total, refused, trouble } = run;
  const word = what === 'undo' ? m.stock_taken_back() : DONE_LABELS[what];
  if (running) {
    return (
      <div
        className="flex flex-wrap items-center gap-x-4 gap-y-2 tabular-nums"
        role="status"
        data-resolving="running"
      >
        <p>{m.stock_progress({ word, done: inGroups(done), total: inGroups(total) })}</p>
        <Meter className="flex-[1_1_12rem]" value={done} max={total} label={m.stock_dealt_with()} />
      </div>
    );
  }
  return (
    <div data-resolving="ended" className="flex flex-col gap-2">
      {(done > 0 || refused.length === 0) && (
        <Notice
          look="news"
          action={
            what !== 'undo' &&
            done > 0 && (
              <Button size="small" onClick={() => onUndo(run)}>
                {m.common_undo()}
              </Button>
            )
          }
        >
          {word}: {inGroups(done)}
        </Notice>
      )}
      {trouble !== undefined && (
        <Notice>
          {trouble} {m.stock_kept_so_far()}
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice>
          {m.stock_left_as_is({ count: refused.length })}{' '}
          {refused.slice(0, NAMED).map(({ code, reason }) => (
            <span key={code} className="block">
              {code}: {reason}
            </span>
          ))}
        </Notice>
      )}
    </div>
  );
}

interface Resolving {
  what: ResolvingAction | 'undo';
  batch: string;
  running: boolean;
  done: number;
  /** How many were meant to be. */
  total: number;
  refused: ResolvedAnswer['refused'];
  /** Why it stopped before its end. */
  trouble?: string;
}

type Call = (after: string | undefined) => Promise<ResolvedAnswer>;

/** Deals with findings, or takes that back, call by call; what is shown says how far it is. */
export function useResolving(id: string) {
  const client = useQueryClient();
  const [run, setRun] = useState<Resolving | null>(null);

  const go = async (begun: Resolving, call: Call) => {
    let now = begun;
    setRun(now);
    try {
      let after: string | undefined;
      do {
        const { done, refused, next } = await call(after);
        now = { ...now, done: now.done + done, refused: [...now.refused, ...refused] };
        setRun(now);
        after = next ?? undefined;
      } while (after !== undefined);
      setRun({ ...now, running: false });
    } catch (error) {
      setRun({ ...now, running: false, trouble: sentenceOf(error) });
    }
    await client.invalidateQueries({ queryKey: queryKeys.stockTaking(id) });
    // What was decided is on other screens too.
    void client.invalidateQueries({ queryKey: queryKeys.books });
  };
  const post = (body: Sent<typeof resolveFindings>['body']) =>
    send(resolveFindings, { params: { id }, body });
  const postUndo = (body: Sent<typeof undoResolutions>['body']) =>
    send(undoResolutions, { params: { id }, body });

  /** @param codes of these; all that there are where it is left out */
  const resolve = (kind: FindingKind, action: ResolvingAction, total: number, codes?: readonly string[]) => {
    const batch = newKey();
    const begun = { what: action, batch, running: true, done: 0, total, refused: [] };
    if (!codes)
      return go(begun, (after) => post({ kind, action, batch, ...(after !== undefined && { after }) }));
    return go(
      begun,
      inPieces(codes, (some) => post({ kind, action, batch, codes: [...some] })),
    );
  };
  const undo = (batch: string, total: number) =>
    go({ what: 'undo', batch, running: true, done: 0, total, refused: [] }, (after) =>
      postUndo({ batch, ...(after !== undefined && { after }) }),
    );
  const undoOne = (code: string) =>
    go({ what: 'undo', batch: '', running: true, done: 0, total: 1, refused: [] }, () =>
      postUndo({ codes: [code] }),
    );

  return { run, resolve, undo, undoOne, forget: () => setRun(null) };
}

/** As many codes in a call as it takes. */
function inPieces(
  codes: readonly string[],
  send: (some: readonly string[]) => Promise<ResolvedAnswer>,
): Call {
  let sent = 0;
  return async () => {
    const some = codes.slice(sent, sent + MAX_RESOLVED);
    const answer = await send(some);
    sent += some.length;
    return { ...answer, next: sent < codes.length ? String(sent) : null };
  };
}

interface TakeBackProps {
  borrow: NonNullable<Finding['borrow']>;
  code: string;
  disabled: boolean;
}

/** The book is here: its reader is rid of it. A fee that is due stays with the borrow. */
export function TakeBack({ borrow, code, disabled }: TakeBackProps) {
  const client = useQueryClient();
  const takeBack = useCall(takeBackBooks, {
    onSuccess: (answer) => {
      notify.success(m.stock_books_taken_back(), { detail: `${code} · ${borrow.user.fullname}` });
      ensureFresh(client, answer);
      void client.invalidateQueries({ queryKey: queryKeys.stockTakings });
    },
  });
  return (
    <Button
      size="small"
      disabled={disabled}
      busy={takeBack.isPending}
      aria-label={`${m.stock_take_back()}: ${code}`}
      onClick={() => takeBack.mutate({ ...ofBorrow(borrow), body: { copies: [code] } })}
    >
      {m.stock_take_back()}
    </Button>
  );
}
