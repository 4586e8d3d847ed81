import { useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { askForReport, fetchReport, REPORT_FILES, type ReportKind } from '#contracts/reports/report.js';
import { send, sendForFile } from '../../lib/api/send.js';
import { session } from '../../lib/session.js';
import { createStore, useStore } from '../../lib/store.js';
import { useReports } from './get-reports.js';
import { reportEnd } from './report-end.js';
import { saveFile } from '../../lib/save-file.js';

/** The reports that this window waits for, by their kind. */
const awaited = createStore<Partial<Record<ReportKind, string>>>({});

const keyOf = (kind: ReportKind) => ['report', kind];

/** Asks for a report, waits until it is made, and saves it. Another person at this machine gets no file of it. */
async function makeReport(client: QueryClient, kind: ReportKind, options: object): Promise<boolean> {
  const person = session.current()?.id;
  const gone = new AbortController();
  const unsubscribe = session.subscribe(() => {
    if (session.current()?.id !== person) gone.abort();
  });
  try {
    const { reportId } = await send(askForReport, { body: { kind, options } });
    awaited.set({ ...awaited.get(), [kind]: reportId });
    await reportEnd(client, reportId, gone.signal);
    if (gone.signal.aborted) return false;
    await saveReport(reportId, kind);
    return true;
  } finally {
    unsubscribe();
    const { [kind]: _ended, ...others } = awaited.get();
    awaited.set(others);
  }
}

async function saveReport(id: string, kind: ReportKind): Promise<void> {
  saveFile(await sendForFile(fetchReport, { params: { id } }), REPORT_FILES[kind]);
}

/** Makes a report with these options and saves it. Leaving the page does not break it off: it can take a minute. */
export function useMakeReport(kind: ReportKind) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: keyOf(kind),
    mutationFn: (options: object) => makeReport(client, kind, options),
    meta: { inPlace: true, showsProgress: true },
  });
}

/** Saves a report that was made before. */
export function useSaveReport(reportId: string, kind: ReportKind) {
  return useMutation({ mutationFn: () => saveReport(reportId, kind), meta: { inPlace: true } });
}

export interface Making {
  /** On this machine's clock. */
  since: number;
  /** Percent; undefined until somebody prints it. */
  percent: number | undefined;
}

/** How far this window's report of a kind is; null while none is being made. Known also after coming back. */
export function useMaking(kind: ReportKind): Making | null {
  const [since] = useMutationState({
    filters: { mutationKey: keyOf(kind), status: 'pending' },
    select: (mutation) => mutation.state.submittedAt,
  });
  const reportId = useStore(awaited)[kind];
  const report = useReports().data?.find(({ id }) => id === reportId);
  if (since === undefined) return null;
  return { since, percent: report?.state === 'printing' ? report.progress : undefined };
}
