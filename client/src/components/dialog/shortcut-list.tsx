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
    <Dialog title="Keys" onClose={onClose}>
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
