import type { ReactNode } from 'react';
import { REPORT_FILES } from '#contracts/reports/report.js';
import { Button } from '../../components/form/button.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { useMaking, type useMakeReport } from './make-report.js';
import { ReportProgress } from './report-progress.js';
import type { Report } from './reports.js';
import { classNames } from '../../lib/class-names.js';

interface ReportCardProps {
  report: Report;
  download: ReturnType<typeof useMakeReport>;
  /** Its form says itself what was wrong. */
  refusalShown?: boolean;
  /** The button that starts it, with its options. */
  children: ReactNode;
}

/** A report: what it is, how to have it made, how far it is, and what came of it. */
export function ReportCard({ report, download, refusalShown = false, children }: ReportCardProps) {
  const making = useMaking(report.kind);
  return (
    <article
      className={classNames(
        'flex flex-col items-start gap-4 h-full p-6 border border-line double-rule bg-surface',
        '[&>button]:h-auto [&>button]:py-2 [&>button]:whitespace-normal',
      )}
    >
      <p>{report.about}</p>
      {children}
      {making && <ReportProgress {...making} />}
      {download.isError && !making && !refusalShown && (
        <div
          className="flex flex-wrap items-center justify-between gap-3 w-full p-3 rounded bg-danger-wash text-danger"
          role="alert"
        >
          <p>The file could not be made. {firstWordsOf(download.error)}</p>
          <Button size="small" onClick={() => download.mutate(download.variables)}>
            Retry
          </Button>
        </div>
      )}
      <p className="text-ink-soft text-1 tabular-nums empty:hidden" role="status">
        {download.data === true && !making && `Saved as ${REPORT_FILES[report.kind]}.`}
      </p>
    </article>
  );
}
