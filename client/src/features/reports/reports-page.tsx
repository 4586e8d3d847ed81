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
      <MadeToday />
    </>
  );
}
