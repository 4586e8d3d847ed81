import { Bookmark, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import styles from './navigation-bar.module.css';
import { useLogOut } from './use-log-out.js';
import { UserMenuFace } from './user-menu-face.js';

const ITEM =
  'flex items-center gap-2 min-h-11 py-0 px-3 rounded-[2px] text-ink no-underline cursor-pointer outline-none data-highlighted:bg-accent-wash';

interface UserMenuItemsProps {
  username: string;
  /** It was asked for before it was there. */
  opened: boolean;
  /** It takes the place of a button that has the focus. */
  focused: boolean;
}

export function UserMenuItems({ username, opened, focused }: UserMenuItemsProps) {
  const logOut = useLogOut();
  const trigger = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (focused) trigger.current?.focus();
  }, [focused]);
  return (
    <DropdownMenu.Root modal={false} defaultOpen={opened}>
      <DropdownMenu.Trigger ref={trigger} className={styles.user}>
        <UserMenuFace username={username} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="z-50 min-w-48 p-1 border border-line rounded bg-surface shadow-lift-high"
          align="end"
          sideOffset={4}
        >
          <DropdownMenu.Item asChild className={ITEM}>
            <Link to="/profile">
              <UserRound size={18} aria-hidden="true" />
              My Profile
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild className={ITEM}>
            <Link to="/lists">
              <Bookmark size={18} aria-hidden="true" />
              My Lists
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item asChild className={ITEM}>
            <Link to="/profile/security">
              <ShieldCheck size={18} aria-hidden="true" />
              Security
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Item className={ITEM} onSelect={logOut}>
            <LogOut size={18} aria-hidden="true" />
            Logout
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
