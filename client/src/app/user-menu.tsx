import { useCallback, useEffect, useRef, useState, type ComponentProps } from 'react';
import { whenIdle } from '../lib/when-idle.js';
import styles from './navigation-bar.module.css';
import { UserMenuFace } from './user-menu-face.js';
import type { UserMenuItems } from './user-menu-items.js';

type Loaded = Pick<ComponentProps<typeof UserMenuItems>, 'opened' | 'focused'> & {
  Items: typeof UserMenuItems;
};

/** The menu comes after the page. Until then its button stands there, and whoever presses it gets the menu when it comes. */
export function UserMenu({ username }: { username: string }) {
  const [menu, setMenu] = useState<Loaded>();
  const button = useRef<HTMLButtonElement>(null);
  const isWanted = useRef(false);
  const load = useCallback(() => {
    import('./user-menu-items.js').then(
      ({ UserMenuItems: Items }) => {
        const focused = button.current !== null && button.current === document.activeElement;
        setMenu((before) => before ?? { Items, opened: isWanted.current, focused });
      },
      (error: unknown) => window.reportError?.(error),
    );
  }, []);
  useEffect(() => whenIdle(load), [load]);

  if (menu) return <menu.Items username={username} opened={menu.opened} focused={menu.focused} />;
  const open = () => {
    isWanted.current = true;
    load();
  };
  return (
    <button
      ref={button}
      type="button"
      className={styles.user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerDown={() => {
        // The menu may come between this and the click.
        isWanted.current = true;
      }}
      onClick={open}
      onKeyDown={(event) => event.key === 'ArrowDown' && open()}
    >
      <UserMenuFace username={username} />
    </button>
  );
}
