import X from 'lucide-react/icons/x';
import * as Primitive from 'radix-ui/dialog';
import * as m from '#words/messages.js';
import { useFocusReturn } from '../lib/use-focus-return.js';
import { AreaLinks } from './staff-areas.js';

/** The areas of staff on a phone, over the page; shown as long as it is rendered. */
export function StaffMenu({ onClose }: { onClose: () => void }) {
  const giveFocusBack = useFocusReturn();
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-45 [background:rgb(20_16_12_/_40%)] [animation:appear_var(--quick)]" />
        <Primitive.Content
          className="fixed inset-y-0 left-0 z-45 flex flex-col w-[min(88%,20rem)] border-r border-line bg-paper shadow-lift-high focus:outline-none [animation:appear_var(--quick)]"
          aria-describedby={undefined}
          onOpenAutoFocus={toTheCurrentArea}
          onCloseAutoFocus={giveFocusBack}
        >
          <header className="flex items-center justify-between py-2 pl-6 pr-3 [border-bottom:3px_double_var(--line-strong)]">
            <Primitive.Title className="text-3">{m.site_menu()}</Primitive.Title>
            <Primitive.Close
              className="grid place-items-center size-11 rounded text-ink-soft cursor-pointer hover:bg-sunk hover:text-ink"
              aria-label={m.common_close()}
            >
              <X size={20} aria-hidden="true" />
            </Primitive.Close>
          </header>
          <nav
            aria-label={m.site_administration()}
            className="flex-1 min-h-0 p-3 pb-6 overflow-y-auto [overscroll-behavior:contain]"
          >
            <AreaLinks onGo={onClose} />
          </nav>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Where one is, is where one begins to read. */
function toTheCurrentArea(event: Event): void {
  const current = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[aria-current="page"]');
  if (!current) return;
  event.preventDefault();
  current.focus();
}
