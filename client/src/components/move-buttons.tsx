import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from './button.js';
import styles from './row.module.css';

interface MoveButtonsProps {
  /** What is moved. */
  name: string;
  /** Where it is, from 1. */
  place: number;
  /** How many places there are. */
  total: number;
  onMove: (place: number, by: 'up' | 'down') => void;
}

/** Move a row of a list up and down. They keep the focus where the row cannot go on. */
export function MoveButtons({ name, place, total, onMove }: MoveButtonsProps) {
  return (
    <>
      <Button
        size="small"
        className={styles.arrow ?? ''}
        data-move="up"
        aria-disabled={place === 1 || undefined}
        aria-label={`Up: ${name}`}
        onClick={() => onMove(place - 1, 'up')}
      >
        <ArrowUp size={16} aria-hidden="true" />
      </Button>
      <Button
        size="small"
        className={styles.arrow ?? ''}
        data-move="down"
        aria-disabled={place === total || undefined}
        aria-label={`Down: ${name}`}
        onClick={() => onMove(place + 1, 'down')}
      >
        <ArrowDown size={16} aria-hidden="true" />
      </Button>
    </>
  );
}
