import * as m from '#words/messages.js';
import { ShortcutList, type Shortcut } from '../../components/dialog/shortcut-list.js';

const KEYS: readonly Shortcut[] = [
  { keys: ['j', 'k'], does: m.queue_key_rows() },
  { keys: ['Enter'], does: m.queue_key_open() },
  { keys: ['i'], does: m.queue_key_issue() },
  { keys: ['r'], does: m.queue_key_return() },
  { keys: ['p'], does: m.queue_key_pay() },
  { keys: ['x'], does: m.queue_key_select() },
  { keys: ['Ctrl Z', 'Cmd Z'], does: m.queue_key_undo() },
  { keys: ['/'], does: m.queue_key_search() },
  { keys: [m.queue_arrow_left(), m.queue_arrow_right()], does: m.queue_key_pages() },
  { keys: ['Ctrl K', 'Cmd K'], does: m.queue_key_find() },
  { keys: ['Esc'], does: m.queue_key_close() },
  { keys: ['?'], does: m.queue_key_this() },
];

/** The keys of the queue. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return <ShortcutList keys={KEYS} onClose={onClose} />;
}
