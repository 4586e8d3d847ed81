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
} from '#contracts/stock-taking/stock-taking.js';
import { queryKeys } from '../../domain/query-keys.js';
import { send } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { newKey } from '../../lib/api/use-idempotent-mutation.js';

export interface Resolving {
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
