import { Link } from 'react-router-dom';
import { labels } from '../../domain/labels.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { InventoryCard } from './inventory-card.js';
import { MadeToday } from './made-today.js';
import { StickersCard } from './stickers-card.js';
import styles from './reports-page.module.css';

/** The files that an admin takes away (specification, section 2, "Admin reports"). */
export function ReportsPage() {
  usePageTitle(labels.reports);
  return (
    <>
      <h2 className={styles.title}>{labels.reports}</h2>
      <ul role="list" className={styles.reports}>
        <li>
          <InventoryCard />
        </li>
        <li>
          <StickersCard />
        </li>
      </ul>
      <p className={styles.more}>
        <Link to="/admin/raports/searches">Searches without a result</Link>: what readers looked for and the
        library does not have.
      </p>
      <MadeToday />
    </>
  );
}
