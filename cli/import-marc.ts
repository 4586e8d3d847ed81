import { createReadStream, type WriteStream } from 'node:fs';
import type { MarcImport, MarcWinner } from '#contracts/catalogue/marc-import.js';
import type { Database } from '#platform/database/database.js';
import * as m from '#words/messages.js';
import type { MarcForm } from '../server/catalogue/marc/record.js';
import { lastWins, MARC_IMPORTS } from '../server/catalogue/marc-import/marc-imports.js';
import { runMarcImport } from '../server/catalogue/marc-import/run-marc.js';
import { stageMarc } from '../server/catalogue/marc-import/stage-marc.js';
import { ProgressLine } from './progress-line.js';

export interface MarcOptions {
  copies?: number;
  dryRun?: true;
  wins?: MarcWinner[];
}

/** Rows that are read at once for the report. */
const PAGE = 1000;

/**
 * Reads a file of records into a preview, reports what is refused or left to a person, and does the rest unless it is told not to.
 * @param path where the file is
 * @returns what it did, as a text
 * @throws the reason of the signal while it reads; later what was done by then stays, and the rest can be done in the administration
 */
export async function importMarc(
  database: Database,
  path: string,
  form: MarcForm,
  { copies = 1, dryRun, wins }: MarcOptions,
  report: WriteStream,
  signal: AbortSignal,
): Promise<string> {
  const progress = new ProgressLine();
  const work = new ProgressLine();
  try {
    const id = await stageMarc(database, createReadStream(path), {
      ...{ name: path.split(/[\\/]/).at(-1) ?? path, form, copies, signal, startedBy: null, now: new Date() },
      wins: wins ?? (await lastWins(database)),
      onProgress: (records) => progress.show(records, m.cli_progress_records),
    });
    await writeReport(database, id, report);
    if (!dryRun && (await MARC_IMPORTS.move(database, id, ['staged'], 'running'))) {
      const onProgress = (rows: number, part: number) => work.show(rows, m.cli_progress_records, part);
      const isDone = await runMarcImport(database, id, { signal, onProgress });
      // The rest can be done in the administration.
      if (!isDone) await MARC_IMPORTS.move(database, id, ['running'], 'done');
    }
    const after = await MARC_IMPORTS.find(database, id);
    return after ? describe(after, dryRun === true) : '';
  } finally {
    work.clear();
  }
}

async function writeReport(database: Database, id: string, report: WriteStream): Promise<void> {
  for (const outcome of ['refused', 'unsure'] as const) {
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await MARC_IMPORTS.rowsOf(database, id, outcome, { offset, limit: PAGE });
      for (const { place, title, reason } of items)
        report.write(
          `${reason === null ? m.cli_marc_unsure({ place, title }) : m.cli_marc_refused({ place, reason })}\n`,
        );
      if (items.length < PAGE) break;
    }
  }
}

function describe({ outcomes, done }: MarcImport, isPreview: boolean): string {
  const records = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const staged = m.cli_marc_staged({ records, ...outcomes });
  return isPreview ? `${staged}\n${m.cli_marc_previewed()}` : `${staged}\n${m.cli_marc_done(done)}`;
}
