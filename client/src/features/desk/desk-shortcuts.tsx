import { ShortcutList, type Shortcut } from '../../components/dialog/shortcut-list.js';

const KEYS: readonly Shortcut[] = [
  { keys: ['F2'], does: 'hand over: the reader first, then the books' },
  { keys: ['F4'], does: 'take back, book after book' },
  { keys: ['Enter'], does: 'ends what was scanned or typed, as a scanner does' },
  { keys: ['Up', 'Down'], does: 'of several readers, the one before and the next; Enter chooses' },
  { keys: ['Esc'], does: 'clear the field; leave a question; finish with the reader' },
  { keys: ['Ctrl Z', 'Cmd Z'], does: 'undo what was lent or taken back here last' },
  { keys: ['Tab'], does: 'to the buttons; any letter leads back to the field' },
  { keys: ['Ctrl K', 'Cmd K'], does: 'find people, books, borrows and places' },
  { keys: ['?'], does: 'this list, while the field is empty' },
];

/** The keys of the desk. */
export function DeskShortcuts({ onClose }: { onClose: () => void }) {
  return <ShortcutList keys={KEYS} onClose={onClose} />;
}
