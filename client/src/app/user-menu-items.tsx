import * as m from '#words/messages.js';
import Bookmark from 'lucide-react/icons/bookmark';
import Languages from 'lucide-react/icons/languages';
import LogOut from 'lucide-react/icons/log-out';
import ShieldCheck from 'lucide-react/icons/shield-check';
import UserRound from 'lucide-react/icons/user-round';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { useLayoutEffect, useRef, useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import styles from './navigation-bar.module.css';
import { otherLanguages } from './language.js';
import { UserMenuFace } from './user-menu-face.js';
import { logOut } from '#contracts/accounts/account-calls.js';
import { cart } from '../domain/cart.js';
import { RequestError } from '../lib/api/request-error.js';
import { send } from '../lib/api/send.js';
import { notify } from '../lib/notify.js';
import { session } from '../lib/session.js';

const ITEM =
  'flex items-center gap-2 min-h-11 py-0 px-3 rounded-[2px] text-ink no-underline cursor-pointer outline-none data-highlighted:bg-accent-wash';

const PAGES = [
  { to: '/profile', name: m.common_my_profile(), icon: UserRound },
  { to: '/lists', name: m.lists_title(), icon: Bookmark },
  { to: '/profile/security', name: m.security_title(), icon: ShieldCheck },
];

interface UserMenuItemsProps {
  username: string;
  /** It was asked for before it was there. */
  opened: boolean;
  /** It takes the place of a button that has the focus. */
  focused: boolean;
}

export function UserMenuItems({ username, opened, focused }: UserMenuItemsProps) {
  const leave = useLogOut();
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
          {PAGES.map(({ to, name, icon: Icon }) => (
            <DropdownMenu.Item key={to} asChild className={ITEM}>
              <Link to={to}>
                <Icon size={18} aria-hidden="true" />
                {name}
              </Link>
            </DropdownMenu.Item>
          ))}
          {otherLanguages.map(({ language, name, choose }) => (
            <DropdownMenu.Item key={language} lang={language} className={ITEM} onSelect={choose}>
              <Languages size={18} aria-hidden="true" />
              {name}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Item className={ITEM} onSelect={leave}>
            <LogOut size={18} aria-hidden="true" />
            {m.common_sign_out()}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/**
 * Logs out at `/` (specification, section 2): first out of any guarded page, so that leaving it is not taken for
 * being turned away. Who stays, asked about unsaved changes, stays signed in.
 */
function useLogOut(): () => void {
  const navigate = useNavigate();
  const state = useLocation().state as { logOut?: number } | null;
  /** This log-out's own mark: one left in the history by an earlier one ends nothing. */
  const mark = useRef<number>(undefined);

  useEffect(() => {
    if (mark.current === undefined || state?.logOut !== mark.current) return;
    mark.current = undefined;
    tellServer();
    session.end();
    cart.clear();
  }, [state]);

  return () => {
    mark.current = Date.now();
    void navigate('/', { state: { logOut: mark.current } });
  };
}

/** Ends the session on the server. Here it ends whatever the server says. */
function tellServer(): void {
  const leaving = send(logOut).then(({ address }) => {
    // Or the next person at this screen would be signed in there as this one.
    if (address !== undefined) window.location.assign(address);
  });
  leaving.catch((error: unknown) => {
    const hadEnded = error instanceof RequestError && error.status === 401;
    if (hadEnded) return;
    notify.error(m.site_signed_out_here());
  });
}
