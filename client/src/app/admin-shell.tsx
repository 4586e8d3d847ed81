import Menu from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import { useEffect, lazy, Suspense, useState } from 'react';
import { Outlet } from 'react-router-dom';
import * as m from '#words/messages.js';
import { readFollowers } from '#contracts/dashboard/followers.js';
import { OpenQuestion } from '../components/dialog/open-question.js';
import styles from './admin-shell.module.css';
import { FollowerBand } from './follower-band.js';
import { AreaLinks, useAreas } from './staff-areas.js';
import { useMay } from '../lib/session.js';
import { whenIdle } from '../lib/when-idle.js';
import { useShownBorrow } from '../domain/borrowing/borrow-link.js';

export function AdminShell() {
  return (
    <div className="flex-1 grid grid-cols-[15rem_minmax(0,1fr)] w-full max-w-400 mx-auto to-960:grid-cols-1 to-960:grid-rows-[auto_1fr]">
      <div className={styles.side}>
        <h1 className={styles.heading}>{m.site_admin_panel()}</h1>
        <MenuTrigger />
        <PaletteTrigger />
        <nav aria-label={m.site_administration()} className="-mx-3 to-960:hidden">
          <AreaLinks />
        </nav>
      </div>
      <div className={styles.content} data-content tabIndex={-1}>
        {useMay(readFollowers) && <FollowerBand />}
        <Outlet />
        <BorrowDrawerHost />
        <OpenQuestion />
      </div>
    </div>
  );
}

// At a desk nobody needs it.
const StaffMenu = lazy(async () => ({ default: (await import('./staff-menu.js')).StaffMenu }));

/** Opens the areas where there is no room for them beside the page. */
function MenuTrigger() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`${styles.find} ${styles.menu} from-961:hidden`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={18} aria-hidden="true" />
        {m.site_menu()}
      </button>
      <Suspense fallback={null}>{open && <StaffMenu onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

// Most visits never need it.
const Palette = lazy(async () => ({ default: (await import('../features/palette/palette.js')).Palette }));

/** Opens the field that leads everywhere, by its button or by Ctrl-K or ⌘-K. */
function PaletteTrigger() {
  const [open, setOpen] = useState(false);
  const areas = useAreas();
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
        {m.palette_title()}
        <kbd>Ctrl K</kbd>
      </button>
      <Suspense fallback={null}>{open && <Palette places={areas} onClose={() => setOpen(false)} />}</Suspense>
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
