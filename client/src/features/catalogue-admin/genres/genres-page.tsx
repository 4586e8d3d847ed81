import { GENRES_PAGE_SIZE, genreSortSchema, type Genre, type GenreSort } from '#contracts/catalogue/genre.js';
import { labels } from '../../../domain/labels.js';
import { AuthorityScreen } from '../authorities/authority-screen.js';
import type { AuthorityColumn } from '../authorities/authority-table.js';
import { useListAddress } from '../authorities/use-list-address.js';
import { GenreDialog } from './genre-dialog.js';
import { useDeleteGenre } from './delete-genre.js';
import { useGenrePage } from './get-genres.js';

const SORTS: readonly { value: GenreSort; label: string }[] = [
  { value: 'NameA-Z', label: 'Name A-Z' },
  { value: 'NameZ-A', label: 'Name Z-A' },
];

const COLUMNS: readonly AuthorityColumn<Genre>[] = [
  { title: 'Name', cell: ({ name }) => name, text: ({ name }) => name, look: 'name' },
  {
    title: 'Description',
    cell: ({ description }) => description,
    text: ({ description }) => description,
    look: 'wide',
  },
];

const LIST = { sorts: genreSortSchema.options, usualSort: 'NameA-Z', pageSize: GENRES_PAGE_SIZE } as const;

export function GenresPage() {
  const address = useListAddress<GenreSort>(LIST);
  const list = useGenrePage(address.query);
  const deletion = useDeleteGenre();
  return (
    <AuthorityScreen
      title="Genres"
      addButton="Add Genre"
      noun={['genre', 'genres']}
      searchPlaceholder="Search genres by Name"
      sorts={SORTS}
      address={address}
      list={list}
      columns={COLUMNS}
      nameOf={({ name }) => name}
      deleteQuestion={labels.deleteGenreQuestion}
      deletion={deletion}
      dialog={(edited, close) => <GenreDialog edited={edited} onSaved={close} onClose={close} />}
    />
  );
}
