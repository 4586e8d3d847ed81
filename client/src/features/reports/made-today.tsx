import { type ReportView, stickerOptionsSchema } from '#contracts/reports/report.js';
import { Button } from '../../components/form/button.js';
import { ErrorState } from '../../components/list/placeholders.js';
import { Table, type TableColumn } from '../../components/list/table.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useReports, useSaveReport, REPORTS } from './make-report.js';
import styles from './made-today.module.css';

const COLUMNS: readonly TableColumn[] = [
  { title: 'Report' },
  { title: 'Made at' },
  { title: 'Pages', className: styles.number },
  { title: 'Size', className: styles.number },
  { title: 'Asked by' },
  { title: 'File' },
];

/** Everybody's reports of the last day: to download again, or with the reason why they failed. */
export function MadeToday() {
  const reports = useReports();
  return (
    <section aria-labelledby="made-today">
      <h3 id="made-today" className="mt-10 mb-3 text-3">
        Made today
      </h3>
      {reports.isError && !reports.data ? (
        <ErrorState of={reports} />
      ) : reports.data?.length === 0 ? (
        <p className="quiet">Nothing yet. Files you download stay here for a day.</p>
      ) : (
        <Table look="reading" className={styles.table} columns={COLUMNS} waiting={1}>
          {reports.data?.map((report) => (
            <Row key={report.id} report={report} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ report }: { report: ReportView }) {
  const { madeAt, pages, size } = report;
  const options = optionText(report);
  return (
    <tr role="row" className={styles.row} data-report-id={report.id} data-state={report.state}>
      <td role="cell" className={styles.report}>
        {REPORTS[report.kind].name}
        {options !== '' && (
          <span className="block text-ink-soft to-860:font-sans to-860:text-1">{options}</span>
        )}
      </td>
      <td
        role="cell"
        data-label="Made at"
        data-empty={madeAt === null || undefined}
        className="whitespace-nowrap"
      >
        {madeAt === null ? '–' : <time dateTime={madeAt}>{isoMinute(madeAt)}</time>}
      </td>
      <td role="cell" data-label="Pages" data-empty={pages === null || undefined} className={styles.number}>
        {pages ?? '–'}
      </td>
      <td role="cell" data-label="Size" data-empty={size === null || undefined} className={styles.number}>
        {size === null ? '–' : sizeInShort(size)}
      </td>
      <td role="cell" data-label="Asked by" className="wrap-anywhere">
        {report.askedBy ?? 'Account removed'}
      </td>
      <td role="cell" className={styles.file}>
        <FileCell report={report} />
      </td>
    </tr>
  );
}

function FileCell({ report }: { report: ReportView }) {
  switch (report.state) {
    case 'waiting':
      return <span className="text-ink-soft tabular-nums">Waiting to be made</span>;
    case 'printing':
      return <span className="text-ink-soft tabular-nums">Being made, {report.progress} %</span>;
    case 'failed':
      return <span className={styles.failure}>{report.failure ?? 'The report could not be made.'}</span>;
    case 'ready':
      return <DownloadAgain report={report} />;
  }
}

function DownloadAgain({ report }: { report: ReportView }) {
  const { name } = REPORTS[report.kind];
  const save = useSaveReport(report.id, report.kind);
  return (
    <>
      <Button
        size="small"
        busy={save.isPending}
        aria-label={`Download again: ${name}, ${report.madeAt === null ? '' : isoMinute(report.madeAt)}`}
        onClick={() => save.mutate()}
      >
        {save.isError ? 'Retry' : 'Download again'}
      </Button>
      {save.isError && (
        <span role="alert" className={styles.failure}>
          {sentenceOf(save.error, 'The file could not be fetched.')}
        </span>
      )}
    </>
  );
}

const spoken = stickerOptionsSchema
  .pick({ start: true, addedSince: true, bookIds: true })
  .loose()
  .transform(({ start, addedSince, bookIds }) => [
    ...(bookIds ? [bookIds.length === 1 ? 'one book' : `${bookIds.length} books`] : []),
    ...(addedSince === undefined ? [] : [`added since ${addedSince}`]),
    ...(start === undefined || start === 1 ? [] : [`from label ${start} on`]),
  ]);

/** What sets a printing of labels apart from one of all: "added since 2026-11-01, from label 5 on". */
function optionText({ kind, options }: ReportView): string {
  const words = kind === 'stickers' ? spoken.safeParse(options) : undefined;
  return words?.data?.join(', ') ?? '';
}

/** "812 B", "34 kB", "1.2 MB". */
function sizeInShort(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
