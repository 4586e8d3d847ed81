import ShoppingBag from 'lucide-react/icons/shopping-bag';
import { lazy, Suspense } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { ButtonLink } from '../components/form/button.js';
import { useCart } from '../domain/cart.js';
import * as m from '#words/messages.js';
import { isSetUpAwaited, libraryTitle, logoAddress, served } from '../domain/library.js';
import { isAdmin, useUser, worksInAdminArea } from '../lib/session.js';
import styles from './navigation-bar.module.css';
import { ThemeToggle } from './theme-toggle.js';
import { UserMenu } from './user-menu.js';

/** Whether an address is of the work of staff, which takes all of a wide screen. */
export const isStaffPage = (pathname: string) => /^\/(admin|audit)(\/|$)/.test(pathname);

// In the files of the pages that begin with it; the others come before it.
const SearchCatalogue = lazy(async () => ({
  default: (await import('../domain/catalogue/suggesting-search.js')).SearchCatalogue,
}));

/** The logo, and the name: the short one where there is little room. */
function LibraryMark() {
  const logo = logoAddress();
  const short = served('short-title');
  const name =
    short === '' ? (
      libraryTitle
    ) : (
      <>
        <span className="phone:hidden">{libraryTitle}</span>
        <span className="hidden phone:inline">{short}</span>
      </>
    );
  if (logo === '') return name;
  return (
    <span className="inline-flex items-center gap-3">
      <img src={logo} alt="" className="h-9 w-auto max-w-36 object-contain phone:h-7" />
      <span>{name}</span>
    </span>
  );
}

/** Pages that begin with a search of their own. */
const SEARCHES = ['/', '/home', '/catalog'];

export function NavigationBar() {
  const user = useUser();
  const inCart = useCart().length;
  const { pathname } = useLocation();
  const inAdminArea = pathname.startsWith('/admin');
  const isOfStaff = isStaffPage(pathname);
  // Nobody has an account yet, so there is nothing to be led to.
  const isNothingToSee = isSetUpAwaited() && !user;
  return (
    <header className="border-b border-line bg-paper print:hidden">
      <div className={styles.inner} data-wide={isOfStaff || undefined}>
        <Link
          to="/home"
          // Never so wide that a tool goes to a row of its own, whatever the title and the font: its
          // words wrap instead.
          className="text-ink font-serif text-3 font-strong tracking-[-0.01em] leading-[1.1] no-underline phone:flex-[1_1_0] phone:min-w-0"
        >
          <LibraryMark />
        </Link>
        {!isNothingToSee && (
          <nav className={styles.links} aria-label={m.site_main()}>
            <NavLink to="/home" className={styles.link ?? ''}>
              {m.site_home()}
            </NavLink>
            <NavLink to="/catalog" className={styles.link ?? ''}>
              {m.common_catalog_link()}
            </NavLink>
            {worksInAdminArea(user) && (
              <Link
                to={isAdmin(user) ? '/admin/dashboard' : '/admin'}
                className={styles.link}
                aria-current={inAdminArea ? 'page' : undefined}
              >
                {m.site_admin()}
              </Link>
            )}
            {user?.permissions.includes('audit') && (
              <NavLink to="/audit" className={styles.link ?? ''}>
                {m.common_audit()}
              </NavLink>
            )}
          </nav>
        )}
        {!isNothingToSee && !isOfStaff && !SEARCHES.includes(pathname) && (
          <div className={styles.search}>
            <Suspense fallback={<span className="flex-1 h-10 border border-line rounded" />}>
              <SearchCatalogue key={pathname} look="small" />
            </Suspense>
          </div>
        )}
        <div className={styles.tools}>
          {inCart > 0 && (
            <Link
              to="/cart"
              className="relative inline-flex items-center justify-center size-11 flex-none p-0 rounded text-ink cursor-pointer hover:bg-sunk phone:order-1"
              aria-label={m.site_cart({ count: inCart })}
            >
              <ShoppingBag size={20} aria-hidden="true" />
              <span
                className="absolute top-1 right-0.5 min-w-4.5 px-1 rounded-[1rem] bg-accent text-on-accent text-[0.75rem] font-semibold leading-[1.125rem] text-center tabular-nums"
                aria-hidden="true"
              >
                {inCart}
              </span>
            </Link>
          )}
          <ThemeToggle />
          {user ? (
            <UserMenu username={user.username} />
          ) : isNothingToSee ? null : (
            <>
              <ButtonLink to="/register" look="plain" className="phone:order-1 phone:py-0 phone:px-3">
                {m.site_register()}
              </ButtonLink>
              <ButtonLink to="/login" className="phone:order-1 phone:py-0 phone:px-3">
                {m.common_sign_in()}
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
