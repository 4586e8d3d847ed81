import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { readShelves, type Shelves } from '#contracts/catalogue/shelves.js';
import * as m from '#words/messages.js';
import { SearchCatalogue } from '../../domain/catalogue/suggesting-search.js';
import { CoversBeside } from '../../domain/covers/covered-book.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { loanDays } from '../../domain/house-rules.js';
import { Marked } from '../../components/display/marked.js';
import { ButtonLink } from '../../components/form/button.js';
import { whenIdle } from '../../lib/when-idle.js';
import { useUser } from '../../lib/session.js';
import { queryOf } from '../../lib/api/send.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './home-page.module.css';
import { classNames } from '../../lib/class-names.js';

// Below the newest books: nothing of it is there at the first look.
const LibraryShelves = lazy(async () => ({ default: (await import('./library-shelves.js')).LibraryShelves }));
const HomeShelves = lazy(async () => ({ default: (await import('./home-shelves.js')).HomeShelves }));

/** The search and the books first, then what else the library is. */
export function HomePage() {
  usePageTitle();
  // Without them the page is whole all the same: what cannot be loaded is left out.
  const { data, isPending } = useQuery({ ...queryOf(readShelves), meta: { inPlace: true }, retry: false });
  const newest = data ? newestOf(data) : [];
  const beside = useMemo(
    () => (data ? [...newestOf(data), ...data.muchRead, ...data.genres.flatMap(({ books }) => books)] : []),
    [data],
  );
  return (
    <div className="flex flex-col gap-[clamp(var(--space-6),6vw,5rem)] w-full max-w-page mx-auto p-gutter pt-[clamp(var(--space-5),5vw,var(--space-7))] pb-16">
      <Welcome />
      <CoversBeside value={beside}>
        {(isPending || newest.length > 0) && <Newest books={newest} />}
        <MoreShelves shelves={data} isPending={isPending} />
      </CoversBeside>
      <TheLibrary />
    </div>
  );
}

function Welcome() {
  return (
    <section className="grid grid-cols-[minmax(0,6fr)_minmax(0,7fr)] items-end gap-x-[clamp(var(--space-5),5vw,var(--space-7))] gap-y-5 to-860:grid-cols-1">
      <h1 className="text-5 leading-[1.02] tracking-[-0.025em]">{m.home_welcome()}</h1>
      <div>
        <SearchCatalogue look="large" />
        <p className="mt-3 text-ink-soft">
          <Marked
            parts={m.home_lead.parts()}
            as={{ link: (children) => <Link to="/catalog">{children}</Link> }}
          />
        </p>
      </div>
    </section>
  );
}

/** How many stand on the board. */
const ON_BOARD = 6;
const newestOf = ({ newest }: Shelves) => newest.slice(0, ON_BOARD);

function Newest({ books }: { books: Shelves['newest'] }) {
  return (
    <section aria-labelledby="newest">
      <div className="flex items-center gap-4 mb-3">
        <h2 id="newest" className="flex-1">
          {m.home_newest()}
        </h2>
        <Link
          to="/catalog"
          className="inline-flex items-center min-h-11 text-accent-text text-1"
          aria-label={m.catalogue_see_all_of({ title: m.home_newest() })}
        >
          {m.catalogue_see_all()}
        </Link>
      </div>
      <div
        // Books stand on the board; its place is there before they are.
        // Six books across; the tallest decides.
        className={classNames(
          'relative flex [aspect-ratio:4_/_1] items-end border-b-10 border-line',
          "after:content-[''] after:absolute after:top-auto after:right-0",
          'after:bottom-[-12px] after:left-0 after:h-[2px] after:bg-line-strong',
          'phone:[aspect-ratio:2_/_1]',
        )}
        data-filled={books.length > 0 || undefined}
      >
        <ul role="list" className={styles.books}>
          {books.map((book) => (
            <li key={book.id}>
              <Link
                to={`/book/${book.id}`}
                className="block [transition:transform_var(--quick)] hover:[transform:translateY(-6px)] focus-visible:[transform:translateY(-6px)]"
              >
                <BookCover book={book} />
                <span className="visually-hidden">{book.title}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function MoreShelves({ shelves, isPending }: { shelves: Shelves | undefined; isPending: boolean }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true)), []);
  // What stands below does not move while they come.
  const place = <div className="min-h-screen" />;
  return (
    <div className="grid grid-cols-1 gap-6 empty:hidden">
      <Suspense fallback={place}>
        {isDue && !isPending ? (
          <>
            <LibraryShelves />
            {shelves && <HomeShelves shelves={shelves} above={newestOf(shelves)} />}
          </>
        ) : (
          place
        )}
      </Suspense>
    </div>
  );
}

const services = () => [
  { name: m.home_borrowing(), text: m.home_borrowing_text({ count: loanDays() }) },
  { name: m.home_events(), text: m.home_events_text() },
  { name: m.home_spaces(), text: m.home_spaces_text() },
];

function TheLibrary() {
  const user = useUser();
  return (
    <div className={styles.library}>
      <section className={styles.part}>
        <h2>{m.home_collection()}</h2>
        <p>{m.home_collection_text()}</p>
      </section>
      {services().map(({ name, text }) => (
        <section key={name} className={styles.part}>
          <h2>{name}</h2>
          <p>{text}</p>
        </section>
      ))}
      <section className={styles.signUp}>
        <h2>{m.home_become_reader()}</h2>
        <p className="flex-[1_1_20rem] max-w-measure">{m.home_become_reader_text()}</p>
        {user ? (
          <ButtonLink to="/profile">{m.home_to_profile()}</ButtonLink>
        ) : (
          <ButtonLink to="/register">{m.home_sign_up()}</ButtonLink>
        )}
      </section>
    </div>
  );
}
