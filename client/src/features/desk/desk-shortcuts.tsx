import * as m from '#words/messages.js';
import { ShortcutList, type Shortcut } from '../../components/dialog/shortcut-list.js';

const KEYS: readonly Shortcut[] = [
  { keys: ['F2'], does: m.desk_key_hand_over() },
  { keys: ['F4'], does: m.desk_key_take_back() },
  { keys: ['Enter'], does: m.desk_key_enter() },
  { keys: [m.desk_arrow_up(), m.desk_arrow_down()], does: m.desk_key_arrows() },
  { keys: ['Esc'], does: m.desk_key_escape() },
  { keys: ['Ctrl Z', 'Cmd Z'], does: m.desk_key_undo() },
  { keys: ['Tab'], does: m.desk_key_tab() },
  { keys: ['Ctrl K', 'Cmd K'], does: m.desk_key_find() },
  { keys: ['?'], does: m.desk_key_this() },
];

/** The keys of the desk. */
export function DeskShortcuts({ onClose }: { onClose: () => void }) {
  return <ShortcutList keys={KEYS} onClose={onClose} />;
}
