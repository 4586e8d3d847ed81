import { Link } from 'react-router-dom';
import { labels } from '../../domain/labels.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { InventoryCard } from './inventory-card.js';
import { MadeToday } from './made-today.js';
import { StickersCard } from './stickers-card.js';

/** The files that an admin takes away (specification, section 2, "Admin reports"). */
export function ReportsPage() {
  usePageTitle(labels.reports);
  return (
    <>
      <h2 className="mb-4 text-4">{labels.reports}</h2>
      <ul
        role="list"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] gap-6 max-w-240"
      >
        <li>
          <InventoryCard />
        </li>
        <li>
          <StickersCard />
        </li>
      </ul>
      <p className="mt-6 text-ink-soft">
        <Link to="/admin/raports/searches">Searches without a result</Link>: what readers looked for and the
        library does not have.
      </p>
      <MadeToday />
    </>
  );
}
