import X from 'lucide-react/icons/x';
import { useLocation, useNavigate } from 'react-router-dom';
import * as m from '#words/messages.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { CollectingHours } from '../../domain/borrowing/collecting-hours.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { dayWithName } from '../../domain/holds/hold-texts.js';
import { contact } from '../../domain/house-rules.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';

/** What was rented a moment ago, where it waits and until when: until the person goes on, or it is collected. */
export function JustRented({ borrowId }: { borrowId: string }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const borrow = useOwnCard().data?.borrows.find(({ borrow: { id } }) => id === borrowId)?.borrow;
  const waiting = borrow?.books.filter(({ state }) => state === 'reserved') ?? [];
  if (!borrow || waiting.length === 0) return null;
  return (
    <section
      className="relative flex flex-col gap-4 p-5 border border-line border-l-4 border-l-returned rounded bg-surface"
      aria-labelledby="just-rented"
      data-printed-alone
      data-rented={borrow.id}
    >
      <div className="pr-10">
        <h2 id="just-rented" className="text-4">
          <NonBreakingDates
            text={m.catalog_collect({ count: waiting.length, day: dayWithName(borrow.collectBy) })}
          />
        </h2>
        <p className="mt-1 text-ink-soft whitespace-pre-line">
          {m.catalog_collect_lead()}
          {contact() !== '' && `\n${contact()}`}
        </p>
        <CollectingHours collectBy={borrow.collectBy} />
      </div>
      <ul role="list" className="flex flex-wrap gap-x-6 gap-y-3">
        {waiting.map(({ bookId, title }) => (
          <li key={bookId} className="flex items-center gap-3 min-w-0">
            <SmallCover bookId={bookId} title={title} className="w-8 flex-none" />
            <span className="font-serif">{title}</span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/profile">{m.catalog_see_your_books()}</ButtonLink>
        <Button look="plain" onClick={() => window.print()}>
          {m.common_print()}
        </Button>
      </div>
      <button
        type="button"
        className="absolute top-2 right-2 grid place-items-center size-11 rounded text-ink-soft cursor-pointer hover:bg-sunk print:hidden"
        aria-label={m.common_close()}
        onClick={() => void navigate(pathname + search, { replace: true, state: null })}
      >
        <X size={18} aria-hidden="true" />
      </button>
    </section>
  );
}
