import { ShortcutList, type Shortcut } from '../../components/dialog/shortcut-list.js';

const KEYS: readonly Shortcut[] = [
  { keys: ['j', 'k'], does: 'the next row, the row before' },
  { keys: ['Enter'], does: 'open the borrow' },
  { keys: ['i'], does: 'issue the books of the row' },
  { keys: ['r'], does: 'take the books back' },
  { keys: ['p'], does: 'take the payment of its fee' },
  { keys: ['x'], does: 'select the row' },
  { keys: ['Ctrl Z', 'Cmd Z'], does: 'undo what was done here last' },
  { keys: ['/'], does: 'search the queue' },
  { keys: ['Left', 'Right'], does: 'the page before, the next page' },
  { keys: ['Ctrl K', 'Cmd K'], does: 'find people, books, borrows and places' },
  { keys: ['Esc'], does: 'close what is open' },
  { keys: ['?'], does: 'this list' },
];

/** The keys of the queue. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return <ShortcutList keys={KEYS} onClose={onClose} />;
}
