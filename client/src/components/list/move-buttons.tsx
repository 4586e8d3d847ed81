import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import * as m from '#words/messages.js';
import { Button } from '../form/button.js';

const ARROW =
  'min-w-9 py-0 px-2 aria-disabled:border-line aria-disabled:text-line-strong aria-disabled:cursor-default phone:min-w-11';

interface MoveButtonsProps {
  /** What is moved. */
  name: string;
  /** Where it is, from 1. */
  place: number;
  /** How many places there are. */
  total: number;
  /** To a place that there is. */
  onMove: (place: number, by: 'up' | 'down') => void;
}

/** Move a row of a list up and down. They keep the focus where the row cannot go on. */
export function MoveButtons({ name, place, total, onMove }: MoveButtonsProps) {
  return (
    <>
      <Button
        icon={ArrowUp}
        size="small"
        className={ARROW}
        data-move="up"
        aria-disabled={place === 1 || undefined}
        aria-label={m.list_up({ name })}
        onClick={() => place > 1 && onMove(place - 1, 'up')}
      />
      <Button
        icon={ArrowDown}
        size="small"
        className={ARROW}
        data-move="down"
        aria-disabled={place === total || undefined}
        aria-label={m.list_down({ name })}
        onClick={() => place < total && onMove(place + 1, 'down')}
      />
    </>
  );
}
