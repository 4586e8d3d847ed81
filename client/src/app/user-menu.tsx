import { ChevronDown, LogOut, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link, useNavigate } from 'react-router-dom';
import { cart } from '../lib/cart.js';
import { session } from '../lib/session.js';
import { titleCase } from '../lib/title-case.js';
import styles from './navigation-bar.module.css';

export function UserMenu({ username }: { username: string }) {
  const navigate = useNavigate();
  const logOut = async () => {
    // First out of any guarded page, so that leaving it is not taken for being turned away.
    await navigate('/', { flushSync: true });
    session.end();
    cart.clear();
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={styles.user}>
        <span className={styles.greeting}>Welcome {titleCase(username)}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4}>
          <DropdownMenu.Item asChild className={styles.item}>
            <Link to="/profile">
              <UserRound size={18} aria-hidden="true" />
              My Profile
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={styles.item} onSelect={() => void logOut()}>
            <LogOut size={18} aria-hidden="true" />
            Logout
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
