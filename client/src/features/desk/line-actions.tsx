import { ButtonLink, Button } from '../../components/form/button.js';
import { plnText } from '../../domain/fees/money.js';
import { LastSlip } from '../../domain/readers/slip/last-slip.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { desk } from './desk.js';
import type { DeskLine } from './desk-lines.js';
import styles from './desk-screen.module.css';

/** For so long something can be undone, in milliseconds; the library has the last word. */
const UNDONE_WITHIN = 10 * 60_000;

interface LineActionsProps {
  line: DeskLine;
  /** The result line has larger buttons, and the choice of who brought a book. */
  look: 'large' | 'row';
  onPay: (line: DeskLine) => void;
}

/** What can be done about a scan now that one knows what became of it. */
export function LineActions({ line, look, onPay }: LineActionsProps) {
  const now = useNow(true);
  const size = look === 'row' ? 'small' : 'normal';
  const { did, undone, at, remedy, person, owes, choices, text, mode } = line;
  const isUndoable = did !== undefined && !undone && now - at < UNDONE_WITHIN;
  return (
    <div className={styles.actions}>
      {choices?.map((holder) => (
        <Button key={holder.borrowId} size={size} onClick={() => desk.takeBackFrom(line, holder)}>
          {holder.user.fullname}
          {holder.dueDate !== null && <span className="quiet">due {isoDay(holder.dueDate)}</span>}
        </Button>
      ))}
      {remedy === 'pay' && person && !undone && (
        <Button look={look === 'large' ? 'primary' : 'quiet'} size={size} onClick={() => onPay(line)}>
          Take payment{owes !== undefined && `: ${plnText(owes)}`}
        </Button>
      )}
      {remedy === 'take-back' && (
        <Button
          size={size}
          onClick={() => {
            desk.turnTo('take-back');
            desk.scan(text);
          }}
        >
          Take it back
        </Button>
      )}
      {remedy === 'reserve' && person && (
        <Button look={look === 'large' ? 'primary' : 'quiet'} size={size} onClick={() => desk.reserve(line)}>
          Reserve for {person.fullname}
        </Button>
      )}
      {(remedy === 'again' || remedy === 'reserve' || (remedy === 'pay' && line.tone === 'refused')) &&
        text !== '' &&
        mode && (
          <Button size={size} onClick={() => desk.again(line)}>
            Try again
          </Button>
        )}
      {remedy === 'see-reader' && person && (
        <ButtonLink size={size} to={`/admin/readers/${person.id}`}>
          Reader’s page
        </ButtonLink>
      )}
      {isUndoable && (
        <Button size={size} data-undo={line.key} onClick={() => desk.undo(line.key)}>
          Undo
          {look === 'large' && <kbd className={styles.key}>Ctrl Z</kbd>}
        </Button>
      )}
      {look === 'large' && did !== undefined && !undone && person && (
        <span className={styles.lineSlip} data-slip>
          <LastSlip readerId={person.id} />
        </span>
      )}
    </div>
  );
}
