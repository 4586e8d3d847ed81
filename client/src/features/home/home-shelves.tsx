import type { Shelves } from '#contracts/catalogue/shelves.js';
import * as m from '#words/messages.js';
import { Shelf } from '../../domain/catalogue/shelf.js';

interface HomeShelvesProps {
  shelves: Shelves;
  /** What stands on the page already. */
  above: Shelves['newest'];
}

/** What there is in the library beside what is new, by the shelf. */
export function HomeShelves({ shelves: { muchRead, genres }, above }: HomeShelvesProps) {
  const known = new Set(above.map(({ id }) => id));
  const others = (books: Shelves['newest']) => books.filter(({ id }) => !known.has(id));
  return (
    <>
      <Shelf title={m.home_much_read()} books={others(muchRead)} />
      {genres.map(({ id, name, books }) => (
        <Shelf key={id} title={name} books={others(books)} all={`/catalog?genre=${id}`} />
      ))}
    </>
  );
}
