import { Download } from 'lucide-react';
import { Button } from '../../components/button.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useBeingMadeSince, useDownloadReport } from './download-report.js';
import { ReportProgress } from './report-progress.js';
import type { Report } from './reports.js';
import styles from './reports-page.module.css';

export function ReportCard({ report }: { report: Report }) {
  const download = useDownloadReport(report);
  const since = useBeingMadeSince(report);
  const begin = () => {
    if (since === null) download.mutate();
  };
  return (
    <article className={styles.report}>
      <p>{report.about}</p>
      <Button look="primary" busy={since !== null} onClick={begin}>
        <Download size={18} aria-hidden="true" />
        {report.button}
      </Button>
      {since !== null && <ReportProgress since={since} />}
      {download.isError && since === null && (
        <div className={styles.failed} role="alert">
          <p>The file could not be made. {sentenceOf(download.error)}</p>
          <Button size="small" onClick={begin}>
            Retry
          </Button>
        </div>
      )}
      <p className={styles.saved} role="status">
        {download.isSuccess && since === null && `Saved as ${report.fileName}.`}
      </p>
    </article>
  );
}
