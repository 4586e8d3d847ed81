import { ShoppingBag } from 'lucide-react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { ButtonLink } from '../components/button.js';
import { useCart } from '../domain/cart.js';
import { labels } from '../domain/labels.js';
import { isAdmin, mayAudit, useUser } from '../lib/session.js';
import styles from './navigation-bar.module.css';
import { ThemeToggle } from './theme-toggle.js';
import { UserMenu } from './user-menu.js';

export function NavigationBar() {
  const user = useUser();
  const inCart = useCart().length;
  const inAdminArea = useLocation().pathname.startsWith('/admin');
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <Link to="/home" className={styles.brand}>
          {labels.title}
        </Link>
        <nav className={styles.links} aria-label="Main">
          <NavLink to="/home" className={styles.link ?? ''}>
            Home
          </NavLink>
          <NavLink to="/catalog" className={styles.link ?? ''}>
            Catalog
          </NavLink>
          {isAdmin(user) && (
            <Link
              to="/admin/dashboard"
              className={styles.link}
              aria-current={inAdminArea ? 'page' : undefined}
            >
              Admin
            </Link>
          )}
          {mayAudit(user) && (
            <NavLink to="/audit" className={styles.link ?? ''}>
              Audit
            </NavLink>
          )}
        </nav>
        <div className={styles.tools}>
          {inCart > 0 && (
            <Link
              to="/cart"
              className={styles.cart}
              aria-label={`Cart, ${inCart} ${inCart === 1 ? 'book' : 'books'}`}
            >
              <ShoppingBag size={20} aria-hidden="true" />
              <span className={styles.count} aria-hidden="true">
                {inCart}
              </span>
            </Link>
          )}
          <ThemeToggle />
          {user ? (
            <UserMenu username={user.username} />
          ) : (
            <>
              <ButtonLink to="/register" look="plain" className={styles.guest}>
                Register
              </ButtonLink>
              <ButtonLink to="/login" className={styles.guest}>
                Login
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
