import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusReturn } from '../lib/use-focus-return.js';
import styles from './drawer.module.css';

interface DrawerProps {
  title: ReactNode;
  /** Over the title: what kind of thing it is, and its state. */
  over: ReactNode;
  /** Beside the cross. */
  tools?: ReactNode;
  /** What can be done, always in sight. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * One thing with its history, beside the list that it was opened from; the whole screen on a phone. It keeps the focus
 * inside and gives it back.
 */
export function Drawer({ title, over, tools, actions, onClose, children }: DrawerProps) {
  const giveFocusBack = useFocusReturn();
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.overlay} />
        <Primitive.Content
          className={styles.drawer}
          data-drawer
          aria-describedby={undefined}
          onOpenAutoFocus={toTheDrawer}
          onCloseAutoFocus={giveFocusBack}
          onInteractOutside={keepForToasts}
        >
          <header className={styles.head}>
            <div className={styles.line}>
              <div className={styles.over}>{over}</div>
              {tools}
              <Primitive.Close className={styles.tool} aria-label="Close">
                <X size={18} aria-hidden="true" />
              </Primitive.Close>
            </div>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A small button beside the cross. */
export const drawerTool = styles.tool ?? '';

/** It is read from its beginning: nothing in it is pressed by an Enter too many. */
function toTheDrawer(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus();
}

/** What is said in the corner can be closed, or undone, without closing the drawer. */
function keepForToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('.Toastify')) event.preventDefault();
}
