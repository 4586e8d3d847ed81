import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ButtonLink } from '../../components/button.js';
import { whenIdle } from '../../lib/when-idle.js';
import { useUser } from '../../lib/session.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './home-page.module.css';
import { useNewestBooks } from './newest-books.js';
import { loanPeriod, usageRules } from './usage-rules.js';

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

function Welcome() {
  const books = useNewestBooks().data?.items ?? [];
  return (
    <section className={styles.welcome}>
      <div className={styles.words}>
        <h1 className={styles.headline}>Welcome to the library</h1>
        <div>
          <p className={styles.lead}>
            Fiction to get lost in, non-fiction to find your way by, and educational resources for everything
            you are learning. Browse the shelves, put what you like in your cart, and collect it at the desk.
          </p>
          <ButtonLink to="/catalog" look="primary">
            Browse the catalogue
          </ButtonLink>
        </div>
      </div>
      <div className={styles.shelf} data-filled={books.length > 0 || undefined}>
        <ul role="list" className={styles.books}>
          {books.map((book) => (
            <li key={book.id}>
              <Link to={`/book/${book.id}`} className={styles.book}>
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
      <h2 className={styles.heading}>About the collection</h2>
      <div className={styles.text}>
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
      <h2 className={styles.heading}>Our services</h2>
      <ul role="list" className={styles.services}>
        {services().map(({ name, text }) => (
          <li key={name} className={styles.service}>
            <h3 className={styles.serviceName}>{name}</h3>
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
      <h2 className={styles.heading}>Become a reader</h2>
      <div className={styles.signUp}>
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
      <h2 className={styles.heading}>Usage rules</h2>
      <ol className={styles.rules}>
        {usageRules().map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ol>
    </section>
  );
}
