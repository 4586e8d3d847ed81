import type { ReactNode } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Website } from '../../components/form/website.js';
import { NameLinks } from './book-links.js';

/** What is told of the book, its authors, genres and publisher (specification, section 2): each only where there is something to read. */
export function BookProse({ book }: { book: Book }) {
  const authors = book.authors.filter(
    ({ biography, otherNames }) => biography !== '' || otherNames.length > 0,
  );
  const genres = book.genres.filter(({ description }) => description !== '');
  const { publisher } = book;
  return (
    <>
      {book.description !== '' && (
        <section aria-label={m.common_description()}>
          <p className="max-w-measure font-serif text-[1.125rem] leading-[1.6] whitespace-pre-line">
            {book.description}
          </p>
        </section>
      )}
      {authors.length > 0 && (
        <Part heading={m.common_authors()}>
          {authors.map(({ id, fullname, otherNames, biography }) => (
            <div key={id}>
              <h3>
                <NameLinks of="author" names={[{ id, name: fullname }]} />
              </h3>
              {otherNames.length > 0 && (
                <p className="note">{m.book_other_names({ names: otherNames.join(', ') })}</p>
              )}
              <Text>{biography}</Text>
            </div>
          ))}
        </Part>
      )}
      {genres.length > 0 && (
        <Part heading={m.common_genres()}>
          {genres.map(({ id, name, description }) => (
            <div key={id}>
              <h3>
                <NameLinks of="genre" names={[{ id, name }]} />
              </h3>
              <Text>{description}</Text>
            </div>
          ))}
        </Part>
      )}
      {publisher && (publisher.adress || publisher.phone || publisher.website) && (
        <Part heading={m.common_publisher()}>
          <div>
            <h3>
              <NameLinks of="publisher" names={[publisher]} />
            </h3>
            <Text>{[publisher.adress, publisher.phone].filter(Boolean).join('\n')}</Text>
            {publisher.website && (
              <p className="text-1 wrap-anywhere">
                <Website url={publisher.website} />
              </p>
            )}
          </div>
        </Part>
      )}
    </>
  );
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 pt-3 border-t border-line [&_h3]:mb-1" aria-label={heading}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

function Text({ children }: { children: string }) {
  return <p className="max-w-measure whitespace-pre-line">{children}</p>;
}
