import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import { Website } from '../../components/form/website.js';
import { NameLinks } from './book-links.js';
import styles from './book-tabs.module.css';

export function BookTabs({ book }: { book: Book }) {
  return (
    <Tabs.Root defaultValue="description">
      <Tabs.List
        className="flex gap-1 overflow-x-auto border-b border-line to-480:justify-between to-480:gap-0"
        aria-label="About this book"
      >
        <Tabs.Trigger className={styles.tab} value="description">
          Description
        </Tabs.Trigger>
        <Tabs.Trigger className={styles.tab} value="authors">
          Authors
        </Tabs.Trigger>
        <Tabs.Trigger className={styles.tab} value="genres">
          Genres
        </Tabs.Trigger>
        <Tabs.Trigger className={styles.tab} value="publisher">
          Publisher
        </Tabs.Trigger>
      </Tabs.List>
      <Panel value="description">
        <p className="max-w-measure whitespace-pre-line">
          {book.description || 'This book has no description yet.'}
        </p>
      </Panel>
      <Panel value="authors">
        {book.authors.map((author) => (
          <section key={author.id} className="[&+&]:mt-6 [&_h2]:mb-1">
            <h2>
              <NameLinks of="author" names={[{ id: author.id, name: author.fullname }]} />
            </h2>
            {author.otherNames.length > 0 && (
              <p className="quiet">Also known as {author.otherNames.join(', ')}</p>
            )}
            <p className="max-w-measure whitespace-pre-line">{author.biography}</p>
          </section>
        ))}
      </Panel>
      <Panel value="genres">
        {book.genres.length === 0 && (
          <p className="max-w-measure whitespace-pre-line">No genre is recorded for this book.</p>
        )}
        {book.genres.map((genre) => (
          <section key={genre.id} className="[&+&]:mt-6 [&_h2]:mb-1">
            <h2>
              <NameLinks of="genre" names={[genre]} />
            </h2>
            <p className="max-w-measure whitespace-pre-line">{genre.description}</p>
          </section>
        ))}
      </Panel>
      <Panel value="publisher">
        {book.publisher ? (
          <PublisherDetail publisher={book.publisher} />
        ) : (
          <p className="max-w-measure whitespace-pre-line">No publisher is recorded for this book.</p>
        )}
      </Panel>
    </Tabs.Root>
  );
}

function PublisherDetail({ publisher }: { publisher: NonNullable<Book['publisher']> }) {
  const { adress, phone, website } = publisher;
  return (
    <>
      <h2>
        <NameLinks of="publisher" names={[publisher]} />
      </h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 mt-3 [&_dd]:wrap-anywhere">
        {adress && (
          <>
            <dt>Address</dt>
            <dd>{adress}</dd>
          </>
        )}
        {phone && (
          <>
            <dt>Phone</dt>
            <dd>{phone}</dd>
          </>
        )}
        {website && (
          <>
            <dt>Website</dt>
            <dd>
              <Website url={website} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function Panel({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Content className="py-6 px-0" value={value}>
      {children}
    </Tabs.Content>
  );
}
