import { type ReportView, stickerOptionsSchema } from '#contracts/reports/report.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { ErrorState } from '../../components/list/placeholders.js';
import { Table, type TableColumn } from '../../components/list/table.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { useReports, useSaveReport, REPORTS } from './make-report.js';
import styles from './made-today.module.css';

const COLUMNS: readonly TableColumn[] = [
  { title: m.report_column_report() },
  { title: m.report_column_made_at() },
  { title: m.report_column_pages(), className: styles.number },
  { title: m.report_column_size(), className: styles.number },
  { title: m.report_column_asked_by() },
  { title: m.report_column_file() },
];

/** Everybody's reports of the last day: to download again, or with the reason why they failed. */
export function MadeToday() {
  const reports = useReports();
  return (
    <section aria-labelledby="made-today">
      <h3 id="made-today" className="mt-10 mb-3 text-3">
        {m.report_made_today()}
      </h3>
      {reports.isError && !reports.data ? (
        <ErrorState of={reports} />
      ) : reports.data?.length === 0 ? (
        <p className="quiet">{m.report_none_today()}</p>
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
        data-label={m.report_column_made_at()}
        data-empty={madeAt === null || undefined}
        className="whitespace-nowrap"
      >
        {madeAt === null ? '–' : <time dateTime={madeAt}>{isoMinute(madeAt)}</time>}
      </td>
      <td
        role="cell"
        data-label={m.report_column_pages()}
        data-empty={pages === null || undefined}
        className={styles.number}
      >
        {pages ?? '–'}
      </td>
      <td
        role="cell"
        data-label={m.report_column_size()}
        data-empty={size === null || undefined}
        className={styles.number}
      >
        {size === null ? '–' : sizeInShort(size)}
      </td>
      <td role="cell" data-label={m.report_column_asked_by()} className="wrap-anywhere">
        {report.askedBy ?? m.report_asked_by_removed()}
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
      return <span className="text-ink-soft tabular-nums">{m.report_waiting()}</span>;
    case 'printing':
      return (
        <span className="text-ink-soft tabular-nums">{m.report_printing({ percent: report.progress })}</span>
      );
    case 'failed':
      return <span className={styles.failure}>{report.failure ?? m.report_not_made()}</span>;
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
        aria-label={m.report_download_again_of({
          report: name,
          at: report.madeAt === null ? '' : isoMinute(report.madeAt),
        })}
        onClick={() => save.mutate()}
      >
        {save.isError ? m.common_retry() : m.report_download_again()}
      </Button>
      {save.isError && (
        <span role="alert" className={styles.failure}>
          {sentenceOf(save.error, m.report_file_not_fetched())}
        </span>
      )}
    </>
  );
}

const spoken = stickerOptionsSchema
  .pick({ start: true, addedSince: true, bookIds: true })
  .loose()
  .transform(({ start, addedSince, bookIds }) => [
    ...(bookIds ? [m.report_of_books({ count: bookIds.length })] : []),
    ...(addedSince === undefined ? [] : [m.report_of_added_since({ day: addedSince })]),
    ...(start === undefined || start === 1 ? [] : [m.report_of_labels_from({ label: start })]),
  ]);

/** What sets a printing of labels apart from one of all: "added since 2026-11-01, from label 5 on". */
function optionText({ kind, options }: ReportView): string {
  const words = kind === 'stickers' ? spoken.safeParse(options) : undefined;
  return words?.data?.join(', ') ?? '';
}

/** "812 B", "34 kB", "1.2 MB". */
function sizeInShort(bytes: number): string {
  if (bytes < 1000) return m.report_size_bytes({ size: bytes });
  if (bytes < 999_500) return m.report_size_kilobytes({ size: Math.round(bytes / 1000) });
  return m.report_size_megabytes({ size: bytes / 1_000_000 });
}
