import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { takeRows, type RowsTaken } from '#contracts/catalogue/book-rows.js';
import { readDemo } from '#contracts/library/demo.js';
import { Notice } from '../../components/dialog/notice.js';
import { Meter } from '../../components/display/meter.js';
import { Button } from '../../components/form/button.js';
import { FileButton } from '../../components/form/file-button.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { keyOf, send } from '../../lib/api/send.js';
import { piecesOf, textOf, type Piece } from './csv-pieces.js';

/** Rows that are told of in a list. */
const SHOWN = 200;

interface Run extends RowsTaken {
  name: string;
  pieces: readonly Piece[];
  sent: number;
  /** Why it stopped before its end. */
  trouble?: string;
}

/** Sends a file of books piece by piece, and tells of each row that was not taken as it is. What is sent twice is there once. */
export function CsvUpload() {
  const [run, setRun] = useState<Run>();
  const client = useQueryClient();
  const isRunning = run !== undefined && run.trouble === undefined && run.sent < run.pieces.length;

  const go = async (begun: Run) => {
    let now: Run = { ...begun };
    delete now.trouble;
    setRun(now);
    try {
      for (const body of now.pieces.slice(now.sent)) {
        const taken = await send(takeRows, { body });
        now = {
          ...now,
          sent: now.sent + 1,
          added: now.added + taken.added,
          alreadyThere: now.alreadyThere + taken.alreadyThere,
          refused: [...now.refused, ...taken.refused],
          repaired: [...now.repaired, ...taken.repaired],
        };
        setRun(now);
      }
    } catch (error) {
      setRun({ ...now, trouble: firstWordsOf(error) });
    }
    // There are books now, so there can be no demo any more.
    void client.invalidateQueries({ queryKey: keyOf(readDemo) });
  };
  const read = async (file: File) => {
    const pieces = piecesOf(textOf(await file.arrayBuffer()));
    await go({ name: file.name, pieces, sent: 0, added: 0, alreadyThere: 0, refused: [], repaired: [] });
  };

  return (
    <div className="flex flex-col items-start gap-3">
      <FileButton
        label={m.set_up_csv_choose()}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        busy={isRunning}
        onFile={(file) => void read(file)}
      >
        {m.set_up_csv_choose()}
      </FileButton>
      {run && (
        <div className="w-full flex flex-col gap-2" data-upload={isRunning ? 'running' : 'ended'}>
          {isRunning && (
            <Meter
              className="w-full"
              value={run.sent}
              max={run.pieces.length}
              label={m.set_up_csv_sent({ file: run.name })}
            />
          )}
          <p role="status">
            {m.set_up_csv_so_far({
              file: run.name,
              added: run.added,
              there: run.alreadyThere,
              refused: run.refused.length,
              repaired: run.repaired.length,
            })}
          </p>
          {run.trouble !== undefined && (
            <Notice
              action={
                run.sent > 0 && (
                  <Button size="small" onClick={() => void go(run)}>
                    {m.set_up_csv_go_on()}
                  </Button>
                )
              }
            >
              {run.trouble}
            </Notice>
          )}
          <ToldRows title={m.set_up_csv_refused()} rows={run.refused} />
          <ToldRows title={m.set_up_csv_repaired()} rows={run.repaired} />
        </div>
      )}
    </div>
  );
}

function ToldRows({ title, rows }: { title: string; rows: RowsTaken['refused'] }) {
  if (rows.length === 0) return null;
  return (
    <details open={rows.length <= 10}>
      <summary className="w-fit cursor-pointer font-strong text-1">
        {m.set_up_csv_told({ title, count: rows.length })}
      </summary>
      <ul role="list" className="mt-2 flex flex-col gap-1 max-h-80 overflow-y-auto text-1" tabIndex={0}>
        {rows.slice(0, SHOWN).map(({ line, reason }) => (
          <li key={line} className="break-words">
            {m.set_up_csv_row({ line, reason })}
          </li>
        ))}
        {rows.length > SHOWN && <li>…</li>}
      </ul>
    </details>
  );
}
