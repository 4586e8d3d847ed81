import {
  useMutation,
  useMutationState,
  useQueryClient,
  type QueryClient,
  isCancelledError,
  useQuery,
} from '@tanstack/react-query';
import {
  askForReport,
  fetchReport,
  REPORT_FILES,
  type ReportKind,
  listReports,
  type ReportState,
} from '#contracts/reports/report.js';
import { send, sendForFile, queryOf } from '../../lib/api/send.js';
import { session } from '../../lib/session.js';
import { createStore, useStore } from '../../lib/store.js';
import { saveFile } from '../../lib/save-file.js';
import { RequestError } from '../../lib/api/request-error.js';
import { isLive, useLiveStatus } from '../../domain/live/live-status.js';
import * as m from '#words/messages.js';

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

interface Making {
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

/** How long to wait for a live message before the server is asked, with a connection and without one. */
const LIVE_MS = 5000;
const ALONE_MS = 1000;
/** So often in a row the server may give no answer. */
const MAX_SILENCES = 10;

/**
 * Waits until a report is made or has failed, also while the page is not looked at. Live messages tell; where none
 * comes, the list is asked for.
 * @param signal to stop waiting
 * @throws RequestError when the server refuses to tell, or has not answered for long
 */
async function reportEnd(client: QueryClient, reportId: string, signal: AbortSignal): Promise<void> {
  const isKnownOver = () => {
    const reports = client.getQueryData(reportsQuery.queryKey);
    const report = reports?.find(({ id }) => id === reportId);
    return report !== undefined && isOver(report.state);
  };
  let silences = 0;
  while (!signal.aborted) {
    try {
      const reports = await client.fetchQuery({ ...reportsQuery, staleTime: 0, retry: false });
      silences = 0;
      const report = reports.find(({ id }) => id === reportId);
      // One that is no longer listed is over as well: its file says why.
      if (!report || isOver(report.state)) return;
    } catch (error) {
      // Somebody else requested it again: that answer updates the same list.
      if (!isCancelledError(error)) {
        silences += 1;
        if (!isSilence(error) || silences > MAX_SILENCES) throw error;
      }
    }
    await nextNews(client, isKnownOver, signal);
    if (isKnownOver()) return;
  }
}

/** No answer, or none for the moment: the report is being made all the same. */
function isSilence(error: unknown): boolean {
  return error instanceof RequestError && error.isPassing;
}

function nextNews(client: QueryClient, isKnownOver: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = window.setTimeout(done, isLive() ? LIVE_MS : ALONE_MS);
    const unsubscribe = client.getQueryCache().subscribe(() => {
      if (isKnownOver()) done();
    });
    signal.addEventListener('abort', done);
    if (isKnownOver()) done();
  });
}

/** How often to ask while no live connection tells: for a report that is being made, and else. */
const MAKING_MS = 1000;
const RESTING_MS = 30_000;

const isOver = (state: ReportState): boolean => state === 'ready' || state === 'failed';

/** The reports of the last day, the newest first. */
const reportsQuery = { ...queryOf(listReports), meta: { inPlace: true } };

export function useReports() {
  const live = useLiveStatus().state === 'live';
  return useQuery({
    ...reportsQuery,
    // It is seldom looked at: what is shown first is to be true.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => {
      if (live) return false;
      return state.data?.some((report) => !isOver(report.state)) ? MAKING_MS : RESTING_MS;
    },
  });
}

export interface Report {
  kind: ReportKind;
  /** What its button says. */
  button: string;
  /** What it is called in the list of those that were made. */
  name: string;
  about: string;
}

/** The reports of the specification (section 2, "Admin reports"). */
export const REPORTS = {
  inventory: {
    kind: 'inventory',
    button: m.common_download_inventory(),
    name: m.report_inventory(),
    about: m.report_inventory_about(),
  },
  stickers: {
    kind: 'stickers',
    button: m.report_download_stickers(),
    name: m.report_stickers(),
    about: m.report_stickers_about(),
  },
} as const satisfies Record<ReportKind, Report>;
