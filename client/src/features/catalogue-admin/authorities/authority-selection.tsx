import { Button } from '../../../components/button.js';
import styles from './authority-selection.module.css';

interface AuthoritySelectionProps {
  /** What is selected, in a sentence. */
  many: string;
  names: readonly string[];
  onMerge: () => void;
  onClear: () => void;
}

/** What can be done with those that are selected. Below the list, so that its coming moves no row, and always in view. */
export function AuthoritySelection({ many, names, onMerge, onClear }: AuthoritySelectionProps) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {names.length > 0 && `${names.length} selected`}
      </p>
      {names.length > 0 && (
        <div className={styles.selection} role="group" aria-label={`Selected ${many}`}>
          <span className={styles.names} title={names.join(', ')}>
            {names.length === 1 ? `${names[0]}: select another one to merge` : names.join(', ')}
          </span>
          <Button size="small" disabled={names.length < 2} onClick={onMerge}>
            Merge…
          </Button>
          <Button size="small" look="plain" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
    </>
  );
}
