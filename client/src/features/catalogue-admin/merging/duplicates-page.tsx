import * as m from '#words/messages.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import { PartLinks } from '../../../components/display/part-links.js';
import { oneOf, pageParameter, useAddress } from '../../../lib/use-address.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import listPage from '../../../components/list/list-page.module.css';
import { DistinctList } from './distinct-list.js';
import { MergesList } from './merges-list.js';
import { ProposedList } from './proposed-list.js';

const PARTS = ['authors', 'genres', 'publishers', 'books', 'merges', 'not-the-same'] as const;
type Part = (typeof PARTS)[number];

const NAMES: Readonly<Record<Part, string>> = {
  authors: m.common_authors(),
  genres: m.common_genres(),
  publishers: m.catalogue_publishers(),
  books: m.common_books(),
  merges: m.catalogue_merges(),
  'not-the-same': m.catalogue_not_same(),
};
const KINDS: Readonly<Partial<Record<Part, MergeKind>>> = {
  authors: 'author',
  genres: 'genre',
  publishers: 'publisher',
  books: 'book',
};
const ADDRESS = { part: oneOf('part', PARTS, 'authors'), pageNumber: pageParameter } as const;

/** What the catalogue may have twice, what was merged, and what was found to be different. */
export function DuplicatesPage() {
  usePageTitle(m.catalogue_duplicates());
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  const kind = KINDS[part];
  return (
    <>
      <header className={listPage.head}>
        <h2 className={listPage.title}>{m.catalogue_duplicates()}</h2>
      </header>
      <PartLinks
        label={m.catalogue_duplicate_kinds()}
        className="[--parts-gap:var(--space-5)] mb-4"
        parts={PARTS}
        current={part}
        addressOf={(each) => (each === 'authors' ? '/admin/duplicates' : `/admin/duplicates?part=${each}`)}
      >
        {(each) => NAMES[each]}
      </PartLinks>
      {kind ? (
        <ProposedList key={kind} kind={kind} />
      ) : part === 'merges' ? (
        <MergesList address={address} />
      ) : (
        <DistinctList address={address} />
      )}
    </>
  );
}
