import * as m from '#words/messages.js';
import { useState } from 'react';
import { MAX_SCANS, VERDICTS, type Verdict } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { FileButton } from '../../components/form/file-button.js';
import { Meter } from '../../components/display/meter.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { sendScans, codesOfFile } from './scan-queue.js';
import { inGroups } from '../../lib/texts.js';

/** A scanner that keeps what it reads has a file of a few MB at the most. */
const MAX_BYTES = 20 * 1024 * 1024;

interface Run {
  name: string;
  codes: readonly string[];
  sent: number;
  found: Partial<Record<Verdict, number>>;
  /** Why it stopped before its end. */
  trouble?: string;
}

interface FileUploadProps {
  id: string;
  /** Where all of the file was scanned; null: not said. */
  shelf: string | null;
  disabled: boolean;
  onKept: () => void;
}

/** Sends the file of a scanner piece by piece. One that broke off goes on where it was: what is sent twice is kept once. */
export function FileUpload({ id, shelf, disabled, onKept }: FileUploadProps) {
  const [run, setRun] = useState<Run | null>(null);
  const isRunning = run !== null && run.trouble === undefined && run.sent < run.codes.length;

  const send = async (begun: Run) => {
    let now: Run = { ...begun };
    delete now.trouble;
    setRun(now);
    try {
      while (now.sent < now.codes.length) {
        const answers = await sendScans(id, now.codes.slice(now.sent, now.sent + MAX_SCANS), shelf);
        const found = { ...now.found };
        for (const { verdict } of answers) found[verdict] = (found[verdict] ?? 0) + 1;
        now = { ...now, found, sent: now.sent + answers.length };
        setRun(now);
        onKept();
      }
    } catch (error) {
      setRun({ ...now, trouble: sentenceOf(error) });
    }
  };
  const read = async (file: File) => {
    const begun: Run = { name: file.name, codes: [], sent: 0, found: {} };
    if (file.size > MAX_BYTES) {
      setRun({ ...begun, trouble: m.stock_file_too_large() });
      return;
    }
    const codes = codesOfFile(await file.text());
    await send({ ...begun, codes, ...(codes.length === 0 && { trouble: m.stock_file_empty() }) });
  };

  return (
    <div
      className="flex flex-wrap items-center gap-x-4 gap-y-2 text-1"
      role="group"
      aria-label={m.stock_file()}
    >
      <FileButton
        label={m.stock_file_chooser()}
        accept=".txt,.csv,.tsv,text/plain,text/csv"
        size="small"
        busy={isRunning}
        disabled={disabled}
        onFile={(file) => void read(file)}
      >
        {m.stock_load_file()}
      </FileButton>
      {run === null ? (
        <p className="note">{m.stock_file_hint()}</p>
      ) : (
        <>
          {isRunning && (
            <Meter
              className="flex-[1_1_10rem]"
              value={run.sent}
              max={run.codes.length}
              label={m.stock_file_sent({ file: run.name })}
            />
          )}
          <p
            role={run.trouble === undefined ? 'status' : 'alert'}
            data-upload={isRunning ? 'running' : 'ended'}
          >
            {wordsOf(run, isRunning)}
          </p>
          {run.trouble !== undefined && run.sent < run.codes.length && (
            <Button size="small" disabled={disabled} onClick={() => void send(run)}>
              {m.stock_go_on()}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function wordsOf({ name, codes, sent, found, trouble }: Run, isRunning: boolean): string {
  const progress = { file: name, sent: inGroups(sent), total: codes.length };
  if (trouble !== undefined)
    return codes.length === 0 ? `${name}: ${trouble}` : m.stock_file_broke_off({ ...progress, trouble });
  if (isRunning) return m.stock_file_running(progress);
  const kinds = VERDICTS.flatMap((verdict) => {
    const count = found[verdict] ?? 0;
    return count === 0 ? [] : [FOUND[verdict]({ count })];
  });
  return m.stock_file_done({ file: name, total: codes.length, kinds: kinds.join(', ') });
}

/** How many there were of each kind. */
const FOUND = {
  'in-place': m.stock_file_in_place,
  missing: m.stock_file_missing,
  misplaced: m.stock_file_misplaced,
  unmarked: m.stock_file_unmarked,
  found: m.stock_file_found,
  lent: m.stock_file_lent,
  unknown: m.stock_file_unknown,
} satisfies Record<Verdict, (inputs: { count: number }) => string>;
