import { labels } from '../../lib/labels.js';
import { usePageTitle } from '../../lib/use-page-title.js';
import { ReportCard } from './report-card.js';
import { REPORTS } from './reports.js';
import styles from './reports-page.module.css';

/** The files that an admin takes away (specification, section 2, "Admin reports"). */
export function ReportsPage() {
  usePageTitle(labels.reports);
  return (
    <>
      <h2 className={styles.title}>{labels.reports}</h2>
      <ul role="list" className={styles.reports}>
        {REPORTS.map((report) => (
          <li key={report.path}>
            <ReportCard report={report} />
          </li>
        ))}
      </ul>
    </>
  );
}
