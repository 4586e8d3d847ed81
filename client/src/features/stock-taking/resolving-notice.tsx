import { Button } from '../../components/form/button.js';
import { Meter } from '../../components/display/meter.js';
import { Notice } from '../../components/dialog/notice.js';
import type { Resolving } from './use-resolving.js';
import { inGroups } from '../../lib/counted.js';
import { DONE_LABELS } from './labels.js';

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
  const word = what === 'undo' ? 'Taken back' : DONE_LABELS[what];
  if (running) {
    return (
      <div
        className="flex flex-wrap items-center gap-x-4 gap-y-2 tabular-nums"
        role="status"
        data-resolving="running"
      >
        <p>
          {word}: {inGroups(done)} of {inGroups(total)} …
        </p>
        <Meter className="flex-[1_1_12rem]" value={done} max={total} label="Dealt with" />
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
                Undo
              </Button>
            )
          }
        >
          {word}: {inGroups(done)}
        </Notice>
      )}
      {trouble !== undefined && (
        <Notice>{trouble} What was done so far stays; the rest can be tried again.</Notice>
      )}
      {refused.length > 0 && (
        <Notice>
          {inGroups(refused.length)} {refused.length === 1 ? 'was' : 'were'} left as{' '}
          {refused.length === 1 ? 'it is' : 'they are'}.{' '}
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
