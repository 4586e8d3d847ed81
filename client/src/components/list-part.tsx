import { X } from 'lucide-react';
import styles from './list-part.module.css';

interface ListPartProps {
  /** What is shown alone. */
  name: string;
  /** What is shown without it: "all borrows". */
  all: string;
  onLeave: () => void;
}

/** Says that a list shows a part alone, and leads back to the whole. */
export function ListPart({ name, all, onLeave }: ListPartProps) {
  return (
    <p className={styles.part}>
      {name}
      <button type="button" className={styles.leave} aria-label={`Show ${all} again`} onClick={onLeave}>
        <X size={16} aria-hidden="true" />
      </button>
    </p>
  );
}
