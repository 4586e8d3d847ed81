import { Dialog } from './dialog.js';
import styles from './key-list.module.css';

export interface KeyOfList {
  /** Any of them. */
  keys: readonly string[];
  does: string;
}

/** A window with the keys of a screen. */
export function KeyList({ keys, onClose }: { keys: readonly KeyOfList[]; onClose: () => void }) {
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
