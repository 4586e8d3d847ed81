import { BookCopy, BookOpenCheck, Building2, Feather, Gauge, Tags, type LucideIcon } from 'lucide-react';
import { NavLink, Outlet } from 'react-router-dom';
import styles from './admin-shell.module.css';

/** The areas that exist, in the order of the specification's side menu. */
const AREAS: readonly { path: string; name: string; icon: LucideIcon }[] = [
  { path: '/admin/dashboard', name: 'Dashboard', icon: Gauge },
  { path: '/admin/books', name: 'Books', icon: BookCopy },
  { path: '/admin/authors', name: 'Authors', icon: Feather },
  { path: '/admin/genres', name: 'Genres', icon: Tags },
  { path: '/admin/borrows', name: 'Borrows', icon: BookOpenCheck },
  { path: '/admin/publishers', name: 'Publishers', icon: Building2 },
];

export function AdminShell() {
  return (
    <div className={styles.shell}>
      <div className={styles.side}>
        <h1 className={styles.heading}>Administrator panel</h1>
        <nav aria-label="Administration">
          <ul role="list" className={styles.areas}>
            {AREAS.map(({ path, name, icon: Icon }) => (
              <li key={path}>
                <NavLink to={path} className={styles.area ?? ''}>
                  <Icon size={18} aria-hidden="true" />
                  {name}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  );
}
