import { ChevronDown, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Link } from 'react-router-dom';
import { titleCase } from '../lib/title-case.js';
import styles from './navigation-bar.module.css';
import { useLogOut } from './use-log-out.js';

export function UserMenu({ username }: { username: string }) {
  const logOut = useLogOut();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={styles.user}>
        <span className="one-line">Welcome {titleCase(username)}</span>
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
          <DropdownMenu.Item asChild className={styles.item}>
            <Link to="/profile/security">
              <ShieldCheck size={18} aria-hidden="true" />
              Security
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={styles.item} onSelect={logOut}>
            <LogOut size={18} aria-hidden="true" />
            Logout
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
