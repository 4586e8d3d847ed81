import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Clock from 'lucide-react/icons/clock';
import { useEffect, useRef, useState } from 'react';
import type { Visit } from '#contracts/accounts/reader-card.js';
import {
  giveBookBack,
  readOwnBooks,
  renewLoans,
  takeBook,
  type OwnBooks,
} from '#contracts/self-service/self-service.js';
import * as m from '#words/messages.js';
import { amountText } from '../../domain/fees/money.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { isUnclear, newKey } from '../../lib/api/use-idempotent-mutation.js';
import { isoDay } from '../../lib/dates.js';
import { KioskButton } from './kiosk-parts.js';
import { Idle } from './idle.js';
import { givenBackLine, renewedLine, takenLine, type Line } from './texts.js';
import { useScans } from './use-scans.js';

/** The reader who is there. */
export interface Visitor extends OwnBooks {
  visit: string;
  firstname: string;
}

/** What is left of a visit: a slip, where one is wanted, and whether something was not answered. */
export interface Leaving {
  slip: Visit | null;
  /** Whose slip it is. */
  name: string;
  isUnsure: boolean;
}

type Mode = 'take' | 'give' | 'loans';
const MODES: Record<Mode, () => string> = {
  take: m.kiosk_mode_take,
  give: m.kiosk_mode_give,
  loans: m.kiosk_mode_loans,
};

/** Something that was asked for; without lines, it is not answered yet. */
interface Act {
  id: string;
  lines: Line[] | null;
}

const TRIES_AGAIN_AFTER = 2_000;

interface VisitScreenProps {
  visitor: Visitor | null;
  isOnline: boolean;
  /** A card was scanned: whoever was there has gone. */
  onCard: (card: string) => void;
  /** @param said why it is over, where nobody wanted that */
  onEnd: (leaving: Leaving | null, said?: string | null) => void;
}

/** What a reader takes, gives back and renews. Without one, books are given back. */
export function VisitScreen({ visitor, isOnline, onCard, onEnd }: VisitScreenProps) {
  const [mode, setMode] = useState<Mode>(visitor ? 'take' : 'give');
  const [books, setBooks] = useState<OwnBooks | null>(visitor);
  const [acts, setActs] = useState<readonly Act[]>([]);
  const [slip, setSlip] = useState<Visit>(() => ({ at: new Date().toISOString(), issued: [], returned: [] }));
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);
  const params = { visit: visitor?.visit ?? '' };

  /** Done once, however often it is tried until the library answers. */
  const act = async (ask: (idempotencyKey: string) => Promise<Line[]>) => {
    const id = newKey();
    setActs((before) => [{ id, lines: null }, ...before]);
    const answer = (lines: Line[]) =>
      setActs((before) => before.map((each) => (each.id === id ? { id, lines } : each)));
    for (;;) {
      try {
        answer(await ask(id));
        // Where that does not come, the list stays as it was until the next answer.
        if (visitor) await send(readOwnBooks, { params }).then(setBooks, () => undefined);
        return;
      } catch (error) {
        if (!isThere.current) return;
        if (error instanceof RequestError && error.problem?.code === 'VisitOver') {
          return onEnd(null, m.kiosk_visit_over());
        }
        if (!isUnclear(error)) {
          return answer([{ tone: 'refused', title: null, headline: sentenceOf(error), detail: '' }]);
        }
        await new Promise((resolve) => setTimeout(resolve, TRIES_AGAIN_AFTER));
      }
    }
  };

  const another = (card: string) => {
    if (isThere.current) onCard(card);
    return [];
  };

  const onSlip = (part: 'issued' | 'returned', ...books: Visit['issued']) =>
    setSlip((before) => ({ ...before, [part]: [...before[part], ...books] }));

  const take = (code: string) =>
    act(async (idempotencyKey) => {
      const taken = await send(takeBook, { params, body: { code } }, { idempotencyKey });
      if (taken.outcome === 'card') return another(code);
      if (taken.outcome === 'lent')
        onSlip('issued', { borrowId: idempotencyKey, titles: [taken.title], dueDate: taken.dueDate });
      return [takenLine(taken)];
    });

  const giveBack = (code: string) =>
    act(async (idempotencyKey) => {
      const given = await send(giveBookBack, { body: { code } }, { idempotencyKey });
      if (given.outcome === 'card') return another(code);
      if (given.outcome === 'given-back')
        onSlip('returned', { borrowId: idempotencyKey, titles: [given.title], dueDate: null });
      return [givenBackLine(given)];
    });

  const renew = (borrowId: string | null) =>
    act(async (idempotencyKey) => {
      const renewed = await send(renewLoans, { params, body: { borrowId } }, { idempotencyKey });
      onSlip('issued', ...renewed.filter((each) => each.outcome === 'renewed'));
      return renewed.map(renewedLine);
    });

  useScans((text) => void (mode === 'give' ? giveBack : take)(text.slice(0, 40)));

  const pending = acts.filter(({ lines }) => lines === null).length;
  const isEmpty = slip.issued.length + slip.returned.length === 0;
  const leave = (isPrinted: boolean) =>
    onEnd({
      slip: isPrinted && !isEmpty ? slip : null,
      name: visitor?.firstname ?? '',
      isUnsure: pending > 0,
    });
  return (
    <>
      <Idle onIdle={() => onEnd(null)} />
      <h1 className="text-4">{visitor ? m.kiosk_hello({ name: visitor.firstname }) : m.kiosk_give_back()}</h1>
      {!isOnline && (
        <p role="alert" className="p-4 border-2 border-danger bg-danger-wash font-semibold">
          {m.kiosk_offline_visit()}
        </p>
      )}
      {visitor && books && <Standing books={books} />}
      {visitor && (
        <div className="grid grid-cols-3 gap-4" role="group" aria-label={m.kiosk_modes()}>
          {(['take', 'give', 'loans'] as const).map((each) => (
            <KioskButton key={each} aria-pressed={each === mode} onClick={() => setMode(each)}>
              {MODES[each]()}
            </KioskButton>
          ))}
        </div>
      )}
      {mode === 'loans' && books ? (
        <Loans books={books} busy={pending > 0} onRenew={(borrowId) => void renew(borrowId)} />
      ) : (
        <p className="text-3">{mode === 'give' ? m.kiosk_scan_to_give() : m.kiosk_scan_to_take()}</p>
      )}
      {mode === 'take' && books && books.kept.length > 0 && <Kept kept={books.kept} />}
      <div
        role="log"
        aria-label={m.kiosk_done()}
        // A finger scrolls it, and so do keys.
        tabIndex={0}
        className="flex-1 min-h-20 overflow-y-auto"
      >
        <ol role="list" className="flex flex-col gap-3">
          {acts.map(({ id, lines }) =>
            lines === null ? (
              <li key={id} className="flex items-center gap-4 p-4 border border-line bg-surface">
                <Clock className="flex-none size-10" aria-hidden="true" />
                {m.kiosk_waiting()}
              </li>
            ) : (
              lines.map((each, place) => <Told key={`${id} ${place}`} line={each} />)
            ),
          )}
        </ol>
      </div>
      <div className="flex flex-wrap gap-4 mt-auto">
        {!isEmpty && <KioskButton onClick={() => leave(true)}>{m.kiosk_finish_with_slip()}</KioskButton>}
        <KioskButton look="primary" className="flex-1" onClick={() => leave(false)}>
          {m.kiosk_finish()}
        </KioskButton>
      </div>
    </>
  );
}

function Standing({ books: { owes, isBlocked, books } }: { books: OwnBooks }) {
  return (
    <div className="flex flex-col gap-2">
      <p>{m.kiosk_books_of(books)}</p>
      {owes > 0 && <p className="font-semibold">{m.kiosk_owes({ amount: amountText(owes) })}</p>}
      {isBlocked && <p className="text-danger font-semibold">{m.kiosk_refused_blocked()}</p>}
    </div>
  );
}

function Kept({ kept }: Pick<OwnBooks, 'kept'>) {
  return (
    <section className="p-4 border-2 border-accent-text bg-accent-wash" aria-labelledby="kept">
      <h2 id="kept">{m.kiosk_kept()}</h2>
      <ul role="list" className="flex flex-col gap-1 mt-2">
        {kept.map(({ bookId, title, collectBy }) => (
          <li key={bookId}>{m.kiosk_kept_until({ title, day: isoDay(collectBy) })}</li>
        ))}
      </ul>
    </section>
  );
}

interface LoansProps {
  books: OwnBooks;
  busy: boolean;
  onRenew: (borrowId: string | null) => void;
}

function Loans({ books: { loans }, busy, onRenew }: LoansProps) {
  if (loans.length === 0) return <p className="text-3">{m.kiosk_no_loans()}</p>;
  return (
    <section
      className="flex flex-col gap-3 min-h-20 overflow-y-auto"
      aria-label={m.kiosk_mode_loans()}
      tabIndex={0}
    >
      <ul role="list" className="flex flex-col gap-3">
        {loans.map(({ borrowId, bookId, title, dueDate, isLate, renewableUntil }) => (
          <li key={bookId} className="flex items-center gap-4 p-4 border border-line bg-surface">
            <span className="flex-1 min-w-0 wrap-anywhere">
              <strong className="block font-serif text-3 font-medium">{title}</strong>
              <span className={isLate ? 'text-danger font-semibold' : 'text-ink-soft'}>
                {isLate ? m.kiosk_late({ day: isoDay(dueDate) }) : m.common_due_on({ day: isoDay(dueDate) })}
              </span>
            </span>
            {renewableUntil !== null && (
              <KioskButton disabled={busy} onClick={() => onRenew(borrowId)}>
                {m.kiosk_renew()}
              </KioskButton>
            )}
          </li>
        ))}
      </ul>
      {loans.some(({ renewableUntil }) => renewableUntil !== null) && (
        <KioskButton disabled={busy} onClick={() => onRenew(null)}>
          {m.kiosk_renew_all()}
        </KioskButton>
      )}
    </section>
  );
}

const TONES = {
  done: { Icon: CircleCheck, colour: 'text-returned' },
  heed: { Icon: CircleAlert, colour: 'text-accent-text' },
  refused: { Icon: CircleX, colour: 'text-danger' },
} as const;

function Told({ line: { tone, title, headline, detail } }: { line: Line }) {
  const { Icon, colour } = TONES[tone];
  return (
    <li className="flex items-center gap-4 p-4 border border-line bg-surface" data-tone-of={tone}>
      <Icon className={`flex-none size-10 ${colour}`} aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">
        {title !== null && <strong className="block font-serif text-3 font-medium">{title}</strong>}
        <span className={`block font-semibold ${colour}`}>{headline}</span>
        {detail}
      </span>
    </li>
  );
}
