import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import * as m from '#words/messages.js';
import { isPage, paginationItems } from '../../lib/use-list.js';
import styles from './pagination.module.css';

interface PaginationProps {
  page: number;
  total: number;
  onPage: (page: number) => void;
  /** What is paged, for its accessible name. */
  label: string;
}

export function Pagination({ page, total, onPage, label }: PaginationProps) {
  const go = (next: number) => {
    if (isPage(next, total)) onPage(next);
  };
  return (
    <nav
      className="flex flex-wrap items-center justify-center gap-2 tabular-nums phone:justify-between"
      aria-label={label}
    >
      <button type="button" className={styles.step} disabled={page <= 1} onClick={() => go(page - 1)}>
        <ChevronLeft size={16} aria-hidden="true" />
        {m.list_previous()}
      </button>
      <ul role="list" className={`${styles.pages} flex items-center gap-[2px]`}>
        {paginationItems(page, total).map((mark, index) => (
          <li key={mark === 'gap' ? `gap ${index}` : mark}>
            {mark === 'gap' ? (
              <span className="px-1 text-ink-soft">…</span>
            ) : (
              <button
                type="button"
                className={styles.page}
                aria-label={m.list_page({ page: mark })}
                aria-current={mark === page ? 'page' : undefined}
                onClick={() => go(mark)}
              >
                {mark}
              </button>
            )}
          </li>
        ))}
      </ul>
      <button type="button" className={styles.step} disabled={page >= total} onClick={() => go(page + 1)}>
        {m.list_next()}
        <ChevronRight size={16} aria-hidden="true" />
      </button>
    </nav>
  );
}
