import * as m from '#words/messages.js';
import { Dialog } from './dialog.js';
import styles from './shortcut-list.module.css';

export interface Shortcut {
  /** Any of them. */
  keys: readonly string[];
  does: string;
}

/** A window with the keys of a screen. */
export function ShortcutList({ keys, onClose }: { keys: readonly Shortcut[]; onClose: () => void }) {
  return (
    <Dialog title={m.dialog_keys()} onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(({ keys: names, does }) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
