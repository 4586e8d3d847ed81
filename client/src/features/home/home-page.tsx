import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { listBooks } from '#contracts/catalogue/book-views.js';
import { labels } from '../../domain/labels.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ButtonLink } from '../../components/form/button.js';
import { whenIdle } from '../../lib/when-idle.js';
import { useUser } from '../../lib/session.js';
import { queryOf } from '../../lib/api/send.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './home-page.module.css';
import { classNames } from '../../lib/class-names.js';

// Below everything else: nothing of it is there at the first look.
const OpeningHours = lazy(async () => ({ default: (await import('./opening-hours.js')).OpeningHours }));
const LibraryShelves = lazy(async () => ({ default: (await import('./library-shelves.js')).LibraryShelves }));
const HomeShelves = lazy(async () => ({ default: (await import('./home-shelves.js')).HomeShelves }));

export function HomePage() {
  usePageTitle();
  return (
    <>
      <Welcome />
      <About />
      <Services />
      <SignUp />
      <Rules />
      <Beneath />
    </>
  );
}

function Beneath() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true)), []);
  if (!isDue) return null;
  return (
    <Suspense fallback={null}>
      <OpeningHours />
      <LibraryShelves />
      <HomeShelves />
    </Suspense>
  );
}

const NEWEST = { SortBy: 'none', SearchTerm: '', pageNumber: 1, pageSize: 6 } as const;

function Welcome() {
  // Without them the page is whole all the same.
  const newest = useQuery({
    ...queryOf(listBooks, { query: NEWEST }),
    meta: { inPlace: true },
    retry: false,
  });
  const books = newest.data?.items ?? [];
  return (
    <section className={styles.welcome}>
      <div className="grid grid-cols-[minmax(0,6fr)_minmax(0,7fr)] items-end gap-x-[clamp(var(--space-5),5vw,var(--space-7))] gap-y-6 to-860:grid-cols-1">
        <h1 className="text-5 leading-[1.02] tracking-[-0.025em]">Welcome to the library</h1>
        <div>
          <p className="max-w-136 mb-6 font-serif text-3 leading-[1.45]">
            Fiction to get lost in, non-fiction to find your way by, and educational resources for everything
            you are learning. Browse the shelves, put what you like in your cart, and collect it at the desk.
          </p>
          <ButtonLink to="/catalog" look="primary">
            Browse the catalogue
          </ButtonLink>
        </div>
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

function About() {
  return (
    <section className={styles.section}>
      <h2 className="pt-3 double-rule text-4">About the collection</h2>
      <div className="pt-4 border-t border-line grid gap-4 max-w-none [&_p]:max-w-measure to-860:pt-0 to-860:border-t-0">
        <p>
          The collection brings together novels and poetry, works of science and history, and textbooks for
          study at every level. It grows all the time: new titles are added as readers ask for them.
        </p>
        <p>
          Every book has a page of its own with its description, its authors, its genres and its publisher,
          and says how many copies are on the shelf at this moment.
        </p>
      </div>
    </section>
  );
}

const services = () => [
  {
    name: 'Book borrowing',
    text: `Physical books and e-books. Rent them here, collect them at the desk, and keep them for up to ${loanPeriod()}.`,
  },
  {
    name: 'Events and workshops',
    text: 'Meetings with authors, reading groups, and workshops on research and writing.',
  },
  {
    name: 'Reading spaces',
    text: 'Quiet rooms for reading and studying, and tables where a group can work together.',
  },
];

function Services() {
  return (
    <section className={styles.section}>
      <h2 className="pt-3 double-rule text-4">Our services</h2>
      <ul
        role="list"
        className="pt-4 border-t border-line grid grid-cols-3 gap-6 to-860:grid-cols-1 to-860:pt-0 to-860:border-t-0"
      >
        {services().map(({ name, text }) => (
          <li key={name}>
            <h3 className="mb-2 text-3">{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SignUp() {
  const user = useUser();
  return (
    <section className={styles.section}>
      <h2 className="pt-3 double-rule text-4">Become a reader</h2>
      <div className="pt-4 border-t border-line flex flex-wrap items-center justify-between gap-4 [&_p]:flex-[1_1_20rem] [&_p]:max-w-measure to-860:pt-0 to-860:border-t-0">
        <p>
          Sign up to borrow books, follow your borrows and renew them. It takes three short steps and a
          confirmation by e-mail.
        </p>
        {user ? (
          <ButtonLink to="/profile">Go to your profile</ButtonLink>
        ) : (
          <ButtonLink to="/register">Sign up</ButtonLink>
        )}
      </div>
    </section>
  );
}

function Rules() {
  return (
    <section className={styles.section}>
      <h2 className="pt-3 double-rule text-4">Usage rules</h2>
      <ol className={styles.rules}>
        {usageRules().map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ol>
    </section>
  );
}

/** What the page was served with; a page of no server has the numbers of the specification. */
const servedNumber = (name: string, otherwise: number) => {
  const served = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return /^\d+$/.test(served) ? Number(served) : otherwise;
};

const days = (number: number) => (number === 1 ? '1 day' : `${number} days`);

/** "14 days": how long a book may be kept, by the rules in force. */
export const loanPeriod = () => days(servedNumber('lectern-loan-days', 14));

/** The usage rules of the library (specification, section 1), with the numbers of the rules in force. */
export function usageRules(): readonly string[] {
  const renewal = servedNumber('lectern-renewals', 2) > 0 ? ', with renewal possible' : '';
  return [
    labels.ruleOfThesis,
    'You must be registered to borrow books.',
    'Books must be returned on time to avoid late fees and penalties.',
    'All borrowing history is tracked.',
    'Fines apply for lost or damaged books.',
    labels.ruleOfDevelopment,
    labels.ruleOfData,
    'Please report issues and feedback to the library administrator.',
    `Books can be borrowed for at most ${loanPeriod()}${renewal}.`,
    'Please do not monopolise popular books.',
    'Quiet reading, studying and group use of the spaces are encouraged.',
  ].filter(Boolean);
}
