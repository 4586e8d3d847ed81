import {
  Activity,
  Bookmark,
  BookCopy,
  BookOpenCheck,
  Building2,
  ChartColumn,
  ConciergeBell,
  CopyCheck,
  Feather,
  FileDown,
  Gauge,
  HeartPulse,
  LibraryBig,
  ScanBarcode,
  Scale,
  Tags,
  UsersRound,
  type LucideIcon,
  Search,
} from 'lucide-react';
import { useEffect, useRef, lazy, Suspense, useState } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router-dom';
import { OpenQuestion } from '../components/dialog/open-question.js';
import { labels } from '../domain/labels.js';
import styles from './admin-shell.module.css';
import { FollowerBand } from './follower-band.js';
import { whenIdle } from '../lib/when-idle.js';
import { useShownBorrow } from '../domain/borrowing/borrow-link.js';

/** The areas that exist, those of the specification in the order of its side menu. */
const AREAS: readonly { path: string; name: string; icon: LucideIcon }[] = [
  { path: '/admin/dashboard', name: 'Dashboard', icon: Gauge },
  { path: '/admin/books', name: 'Books', icon: BookCopy },
  { path: '/admin/authors', name: 'Authors', icon: Feather },
  { path: '/admin/genres', name: 'Genres', icon: Tags },
  { path: '/admin/users', name: 'Users', icon: UsersRound },
  { path: '/admin/borrows', name: 'Borrows', icon: BookOpenCheck },
  { path: '/admin/publishers', name: 'Publishers', icon: Building2 },
  { path: '/admin/raports', name: labels.reports, icon: FileDown },
  // Not among the specification's: after all of those.
  { path: '/admin/desk', name: 'Desk', icon: ConciergeBell },
  { path: '/admin/holds', name: 'Holds', icon: Bookmark },
  { path: '/admin/stock-taking', name: 'Stock-taking', icon: ScanBarcode },
  { path: '/admin/lists', name: 'Reading lists', icon: LibraryBig },
  { path: '/admin/duplicates', name: 'Duplicates', icon: CopyCheck },
  { path: '/admin/insight', name: 'Ask the log', icon: ChartColumn },
  { path: '/admin/rules', name: 'Rules', icon: Scale },
  { path: '/admin/house', name: 'House', icon: HeartPulse },
  { path: '/admin/jobs', name: 'Queues', icon: Activity },
];

export function AdminShell() {
  const { pathname } = useLocation();
  const areas = useRef<HTMLUListElement>(null);
  // On a phone the areas are a strip that scrolls: where one is stays in it.
  useEffect(() => {
    const here = areas.current?.querySelector('[aria-current="page"]');
    here?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);

  return (
    <div className="flex-1 grid grid-cols-[15rem_minmax(0,1fr)] w-full max-w-400 mx-auto to-960:grid-cols-1 to-960:grid-rows-[auto_1fr]">
      <div className={styles.side}>
        <h1 className={styles.heading}>Administrator panel</h1>
        <PaletteTrigger places={AREAS} />
        <nav aria-label="Administration">
          <ul
            ref={areas}
            role="list"
            className="flex flex-col gap-[2px] -mx-3 to-960:flex-row to-960:overflow-x-auto"
          >
            {AREAS.map(({ path, name, icon: Icon }) => (
              <li key={path}>
                <NavLink
                  to={path}
                  className={
                    'flex items-center gap-3 min-h-10 py-0 px-3 rounded text-ink-soft no-underline hover:bg-sunk hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent-text aria-[current=page]:font-strong to-960:min-h-11 to-960:whitespace-nowrap'
                  }
                >
                  <Icon size={18} aria-hidden="true" />
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={styles.content} data-content tabIndex={-1}>
        <FollowerBand />
        <Outlet />
        <BorrowDrawerHost />
        <OpenQuestion />
      </div>
    </div>
  );
}

// Most visits never need it.
const Palette = lazy(async () => ({ default: (await import('../features/palette/palette.js')).Palette }));

/** Opens the field that leads everywhere, by its button or by Ctrl-K or ⌘-K. */
function PaletteTrigger({ places }: { places: readonly { path: string; name: string }[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // A window with something to fill in is not left by a key.
      const inTheWay = document.querySelector(
        '[role="dialog"]:not([data-drawer], [data-palette]), [role="alertdialog"]',
      );
      if (!inTheWay) setOpen((before) => !before);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={styles.find} onClick={() => setOpen(true)}>
        <Search size={16} aria-hidden="true" />
        Find anything
        <kbd>Ctrl K</kbd>
      </button>
      <Suspense fallback={null}>
        {open && <Palette places={places} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}

const load = () => import('../domain/borrowing/drawer/borrow-drawer.js');
const BorrowDrawer = lazy(async () => ({ default: (await load()).BorrowDrawer }));

/** Shows the borrow that the address names over whatever screen there is. Its code comes once the screen is there. */
function BorrowDrawerHost() {
  const id = useShownBorrow();
  useEffect(
    () =>
      whenIdle(() => {
        load().catch((error: unknown) => window.reportError?.(error));
      }),
    [],
  );
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <BorrowDrawer key={id} id={id} />
    </Suspense>
  );
}
