import type { Shelves } from '#contracts/catalogue/shelves.js';
import { Shelf } from '../../domain/catalogue/shelf.js';

/** What there is in the library beside what is new, by the shelf. */
export function HomeShelves({ shelves: { muchRead, genres } }: { shelves: Shelves }) {
  return (
    <>
      <Shelf title="Much read this month" books={muchRead} />
      {genres.map(({ id, name, books }) => (
        <Shelf key={id} title={name} books={books} all={`/catalog?genre=${id}`} />
      ))}
    </>
  );
}
