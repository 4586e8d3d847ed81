import X from 'lucide-react/icons/x';
import * as Primitive from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import * as m from '#words/messages.js';
import { useFocusReturn } from '../../lib/use-focus-return.js';
import { classNames } from '../../lib/class-names.js';

const TOOL =
  'grid place-items-center size-9 rounded text-ink-soft cursor-pointer last:-mr-2 hover:bg-sunk hover:text-ink phone:size-11';

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
        <Primitive.Overlay className="fixed inset-0 z-40 [background:rgb(20_16_12_/_34%)] [animation:appear_var(--quick)]" />
        <Primitive.Content
          className={classNames(
            'fixed top-0 right-0 bottom-0 left-auto z-40 w-[min(100%,34rem)] flex flex-col border-l',
            'border-line bg-paper shadow-lift-high [animation:slide_var(--slow)]',
            'focus:outline-none',
            'phone:w-full phone:border-0',
          )}
          data-drawer
          aria-describedby={undefined}
          onOpenAutoFocus={toTheDrawer}
          onCloseAutoFocus={giveFocusBack}
          onInteractOutside={keepForToasts}
        >
          <header className="pt-4 px-6 pb-4 [border-bottom:3px_double_var(--line-strong)] phone:px-4">
            <div className="flex items-center gap-1">
              <div className="flex-1 min-w-0 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-1">
                {over}
              </div>
              {tools}
              <Primitive.Close className={TOOL} aria-label={m.common_close()}>
                <X size={18} aria-hidden="true" />
              </Primitive.Close>
            </div>
            <Primitive.Title className="mt-2 text-4 wrap-anywhere">{title}</Primitive.Title>
          </header>
          <div className="flex-1 min-h-0 p-6 overflow-y-auto [overscroll-behavior:contain] phone:px-4">
            {children}
          </div>
          {actions && (
            <footer className="flex flex-wrap items-center gap-3 py-3 px-6 border-t border-line bg-surface phone:px-4 phone:pb-[max(var(--space-3),env(safe-area-inset-bottom))] phone:[&>button]:flex-1">
              {actions}
            </footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A small button beside the cross. */
export const drawerTool = TOOL;

/** It is read from its beginning: nothing in it is pressed by an Enter too many. */
function toTheDrawer(event: Event): void {
  event.preventDefault();
  (event.currentTarget as HTMLElement).focus();
}

/** What is said in the corner can be closed, or undone, without closing the drawer. */
function keepForToasts(event: Event): void {
  if (event.target instanceof Element && event.target.closest('.Toastify')) event.preventDefault();
}
