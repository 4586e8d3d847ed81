import * as m from '#words/messages.js';
import { renewMembership } from '#contracts/accounts/readers.js';
import type { Call } from '#contracts/call.js';
import { identifyScan } from '#contracts/desk/scan.js';
import { payAtDesk, refundAtDesk } from '#contracts/payments/payment.js';
import { useMay } from '../../lib/session.js';
import { StaffButtonLink } from '../../domain/staff-link.js';
import type { LucideIcon } from 'lucide-react';
import BookmarkCheck from 'lucide-react/icons/bookmark-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Info from 'lucide-react/icons/info';
import type { DeskLine, DeskMode, Offer, PendingScan, Person } from './desk-lines.js';
import styles from './desk-screen.module.css';
import part from '../../components/display/page-part.module.css';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { isoMinute, isoDay } from '../../lib/dates.js';
import { Button } from '../../components/form/button.js';
import { amountText } from '../../domain/fees/money.js';
import { LastSlip } from '../../domain/readers/slip/last-slip.js';
import { useNow } from '../../lib/use-now.js';
import { useState, type ComponentProps } from 'react';
import { RenewMembership } from '../../domain/readers/renew-membership.js';
import type { DeskMoney } from '../../domain/borrowing/take-payment.js';
import { desk } from './desk.js';

const ICONS: Record<DeskLine['tone'], LucideIcon> = {
  good: CircleCheck,
  heed: CircleAlert,
  kept: BookmarkCheck,
  refused: CircleX,
  plain: Info,
};

/** The colours that are those of a borrow's status too. */
const TONES: Partial<Record<DeskLine['tone'], string>> = {
  good: 'returned',
  heed: 'issued',
  kept: 'rented',
  refused: 'not-paid',
};

/** Whether to go on, told by colour, icon, word and sound alike. */
const STATES: Record<DeskLine['tone'], { state: 'fine' | 'look' | 'stop'; word: string }> = {
  good: { state: 'fine', word: m.desk_fine() },
  plain: { state: 'fine', word: m.desk_fine() },
  heed: { state: 'look', word: m.desk_look() },
  kept: { state: 'look', word: m.desk_look() },
  refused: { state: 'stop', word: m.desk_stop() },
};

interface ResultLineProps {
  line: DeskLine | undefined;
  mode: DeskMode;
  /** Scans that are not finished, and whether the library does not answer them. */
  waiting: number;
  isAway: boolean;
  onPay: OnPay;
}

/** Money is to change hands for a line: the reader's, or what the library owes them. */
type OnPay = (line: DeskLine, kind?: DeskMoney) => void;

/** What became of the last scan, so large that it is read from where one stands. */
export function ResultLine({ line, mode, waiting, isAway, onPay }: ResultLineProps) {
  const Icon = line ? ICONS[line.tone] : undefined;
  return (
    <section
      className={styles.result}
      data-result={line?.tone ?? 'none'}
      data-tone={line && TONES[line.tone]}
      data-state={line && STATES[line.tone].state}
      aria-label={m.desk_result()}
    >
      <div role="status" aria-atomic="true" className="flex gap-4">
        {line && Icon ? (
          <>
            <div
              className="flex flex-col flex-none items-center gap-1 w-12 text-1 font-strong text-tone"
              data-word
            >
              <Icon className="size-12 phone:size-8" aria-hidden="true" />
              {STATES[line.tone].word}
            </div>
            <div className="min-w-0 wrap-anywhere">
              <p className={styles.headline}>{withWholeDays(line.headline)}</p>
              <p className={styles.what}>{whatOf(line)}</p>
              {line.details.map((detail) => (
                <p key={detail} className={styles.detail}>
                  {detail}
                </p>
              ))}
            </div>
          </>
        ) : (
          <p className="self-center text-ink-soft font-serif text-4 leading-[1.2]">
            {mode === 'hand-over' ? m.desk_start_hand_over() : m.desk_start_take_back()}
          </p>
        )}
      </div>
      {line && <LineActions line={line} onPay={onPay} look="large" />}
      <p role="status" className={styles.waiting} data-away={isAway || undefined}>
        {waitingText(waiting, isAway)}
      </p>
    </section>
  );
}

/** A day is not broken at its hyphens. */
function withWholeDays(words: string) {
  return words.split(/(\d{4}-\d\d-\d\d)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}

function waitingText(waiting: number, isAway: boolean): string {
  if (isAway) return m.desk_away({ count: waiting });
  return waiting > 1 ? m.desk_scans_waiting({ count: waiting }) : '';
}

/** The book and the reader, whichever the headline does not say. */
function whatOf({ book, person, headline, text }: DeskLine): string {
  const parts = [book?.title, person?.fullname === headline ? undefined : person?.fullname].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : text === headline ? '' : text;
}

interface RunningListProps {
  lines: readonly DeskLine[];
  pending: readonly PendingScan[];
  onPay: OnPay;
}

/** Lines that are shown at first, and that each further press shows. */
const SHOWN = 12;

/** What was scanned here, the latest first; before it, what is not finished yet. */
export function RunningList({ lines, pending, onPay }: RunningListProps) {
  const unfinished = pending.filter(({ kind }) => kind === 'scan' || kind === 'send');
  const [shown, setShown] = useState(SHOWN);
  const earlier = lines.length - shown;
  if (lines.length === 0 && unfinished.length === 0) return null;
  return (
    <section aria-labelledby="scanned" className="[container-type:inline-size]">
      <h3 id="scanned" className={part.title}>
        {m.desk_scanned_here()}
      </h3>
      <ol
        role="list"
        className="grid grid-cols-[1.75rem_minmax(0,_1fr)_fit-content(15rem)_auto] gap-x-4 @max-[46rem]:grid-cols-[1.75rem_minmax(0,_1fr)]"
      >
        {[...unfinished].reverse().map(({ key, text, command }) => (
          <li key={key} className={styles.line} data-pending>
            <span className="w-7" />
            <div className="min-w-0">
              <p className={styles.title}>{text || command?.book.title}</p>
              <p className="note">{m.desk_waits_its_turn()}</p>
            </div>
          </li>
        ))}
        {lines.slice(0, shown).map((line) => (
          <Row key={line.key} line={line} onPay={onPay} />
        ))}
      </ol>
      {earlier > 0 && (
        <Button size="small" className="mt-3" onClick={() => setShown(shown + SHOWN)}>
          {m.desk_show_earlier({ count: earlier })}
        </Button>
      )}
    </section>
  );
}

function Row({ line, onPay }: { line: DeskLine; onPay: OnPay }) {
  const { key, book, person, code, headline, tone, undone, at, borrowId, text, offers } = line;
  const Icon = ICONS[tone];
  const title = book?.title ?? person?.fullname ?? text;
  return (
    <li
      className={styles.line}
      data-line={tone}
      data-scan={text}
      data-undone={undone || undefined}
      data-key={key}
      data-card={offers && true}
    >
      {book ? (
        <SmallCover bookId={book.id} title={book.title} className="w-7" />
      ) : (
        <Icon className={styles.icon} data-tone={TONES[tone]} aria-hidden="true" />
      )}
      <div className={styles.named}>
        <p className={styles.title}>
          {borrowId === undefined ? title : <BorrowLink id={borrowId}>{title}</BorrowLink>}
        </p>
        <p className="note">
          {[book && person?.fullname, code, isoMinute(at).slice(-5)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div
        className={styles.outcome}
        data-tone={tone === 'kept' || tone === 'refused' ? TONES[tone] : undefined}
      >
        {undone ? m.desk_undone() : headline === title ? '' : headline}
        {/* Each keeps its own reason, whatever is scanned after it. */}
        {tone === 'refused' &&
          line.details.map((detail) => (
            <p key={detail} className={styles.reason}>
              {detail}
            </p>
          ))}
      </div>
      <LineActions line={line} look="row" onPay={onPay} />
    </li>
  );
}

/** For so long something can be undone, in milliseconds; the library has the last word. */
const UNDONE_WITHIN = 10 * 60_000;

interface LineActionsProps {
  line: DeskLine;
  /** The result line has larger buttons, and the choice of who brought a book. */
  look: 'large' | 'row';
  onPay: OnPay;
}

/** What can be done about a scan now that one knows what became of it. */
function LineActions({ line, look, onPay }: LineActionsProps) {
  const now = useNow(true);
  const size = look === 'row' ? 'small' : 'normal';
  const { did, undone, at, remedy, person, choices, text, mode, offers, limited } = line;
  const isUndoable = did !== undefined && !undone && now - at < UNDONE_WITHIN;
  return (
    <div className={styles.actions}>
      {choices?.map((holder) => (
        <Button key={holder.borrowId} size={size} onClick={() => desk.takeBackFrom(line, holder)}>
          {holder.user.fullname}
          {holder.dueDate !== null && (
            <span className="quiet unbroken">{m.common_due_on({ day: isoDay(holder.dueDate) })}</span>
          )}
        </Button>
      ))}
      {[...(offers ?? []), ...remediesOf(line)].map((offer, index) => (
        <OfferButton
          key={offer.do}
          {...{ offer, line, size, onPay }}
          isFirst={look === 'large' && index === 0 && remedy !== 'see-reader'}
        />
      ))}
      {remedy === 'take-back' && (
        <Button
          size={size}
          onClick={() => {
            desk.turnTo('take-back');
            desk.scan(text);
          }}
        >
          {m.desk_take_it_back()}
        </Button>
      )}
      {remedy === 'reserve' && person && (
        <Button look={look === 'large' ? 'primary' : 'quiet'} size={size} onClick={() => desk.reserve(line)}>
          {m.desk_reserve_for({ reader: person.fullname })}
        </Button>
      )}
      {(remedy === 'again' || remedy === 'reserve' || (remedy === 'pay' && line.tone === 'refused')) &&
        text !== '' &&
        mode && (
          <Button size={size} onClick={() => desk.again(line)}>
            {m.common_try_again()}
          </Button>
        )}
      {limited && (
        <Button size={size} onClick={() => void desk.goBeyond(line)}>
          {m.desk_lend_anyway()}
        </Button>
      )}
      {isUndoable && (
        <Button size={size} data-undo={line.key} onClick={() => desk.undo(line.key)}>
          {m.common_undo()}
          {look === 'large' && <kbd className={styles.key}>Ctrl Z</kbd>}
        </Button>
      )}
      {look === 'large' && (did === 'issue' || did === 'take-back') && !undone && person && (
        <span className={styles.lineSlip} data-slip>
          <LastSlip readerId={person.id} />
        </span>
      )}
    </div>
  );
}

/** Money or a look at the reader, as what can be done about a line that is still so. */
function remediesOf({ remedy, undone, person, owes: amount }: DeskLine): Offer[] {
  if (remedy === 'pay-out' && !undone) return [{ do: 'pay-out', amount: amount ?? 0 }];
  if (remedy === 'pay' && person && !undone) return [{ do: 'pay', ...(amount !== undefined && { amount }) }];
  return remedy === 'see-reader' && person ? [{ do: 'see-reader' }] : [];
}

interface OfferButtonProps {
  offer: Offer;
  line: DeskLine;
  size: 'small' | 'normal';
  isFirst: boolean;
  onPay: OnPay;
}

/** Which call each offer leads to, where that takes more than the desk. */
const OFFERED: Partial<Record<Offer['do'], Call>> = {
  pay: payAtDesk,
  'pay-out': refundAtDesk,
  'renew-membership': renewMembership,
};

/** What is to be done about a reader who has just come. */
function OfferButton({ offer, line, size, isFirst, onPay }: OfferButtonProps) {
  const look = isFirst ? 'primary' : 'quiet';
  const may = useMay(OFFERED[offer.do] ?? identifyScan);
  const { person } = line;
  if (!may) return null;
  switch (offer.do) {
    case 'pay':
      return (
        <Button look={look} size={size} onClick={() => onPay(line)}>
          {offer.amount === undefined
            ? m.common_take_payment()
            : m.desk_take_payment_of({ amount: amountText(offer.amount) })}
        </Button>
      );
    case 'pay-out':
      return (
        <Button look={look} size={size} onClick={() => onPay(line, 'refund')}>
          {m.desk_pay_out({ amount: amountText(offer.amount) })}
        </Button>
      );
    case 'hand-over':
      return (
        <Button look={look} size={size} onClick={() => desk.handOver(line, offer.commands)}>
          {m.desk_hand_over_waiting({ count: offer.commands.length })}
        </Button>
      );
    case 'renew-membership':
      return person && <RenewButton {...{ line, person, look, size }} until={offer.until} />;
    case 'see-reader':
      return (
        <StaffButtonLink look={look} size={size} to={`/admin/readers/${person?.id}`}>
          {m.desk_readers_page()}
        </StaffButtonLink>
      );
  }
}

interface RenewButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'size'> {
  line: DeskLine;
  person: Person;
  until: string;
}

/** The membership is over: once it is renewed, the line says what else there is to know. */
function RenewButton({ line, person, until, ...button }: RenewButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {m.desk_renew_membership()}
      </Button>
      {isOpen && (
        <RenewMembership
          reader={person}
          until={until}
          onClose={() => {
            setOpen(false);
            // What cannot be asked now, it goes on saying as it was.
            desk.lookAgain(line).catch(() => undefined);
          }}
        />
      )}
    </>
  );
}
