import X from 'lucide-react/icons/x';
import { lazy, Suspense, useRef } from 'react';
import * as m from '#words/messages.js';
import { NO_FACETS, type ChosenFacets } from '../../domain/catalogue/filter-address.js';
import { chipsOf, toggled, useFacets, type Chip } from './facet-values.js';
import { classNames } from '../../lib/class-names.js';

const ShareButton = lazy(async () => ({
  default: (await import('../../domain/share-button.js')).ShareButton,
}));

interface FacetChipsProps {
  searchTerm: string;
  chosen: ChosenFacets;
  onChange: (changes: Partial<ChosenFacets>) => void;
  /** The focus has nowhere to stay here. */
  onEmptied: () => void;
}

/** What the list is narrowed to; each can be taken away. */
export function FacetChips({ searchTerm, chosen, onChange, onEmptied }: FacetChipsProps) {
  const facets = useFacets(searchTerm, chosen);
  const list = useRef<HTMLUListElement>(null);
  const chips = chipsOf(chosen, facets.data);
  const [author, ...others] = chips;
  const remove = ({ facet, value }: Chip, at: number) => {
    // The focus goes on to the next one, or to the one before the last.
    const buttons = list.current?.querySelectorAll('button');
    const next = chips.length > 1 ? (buttons?.[at + 1] ?? buttons?.[at - 1]) : undefined;
    if (next) next.focus();
    else onEmptied();
    onChange(
      facet === 'available' || value === undefined ? { available: undefined } : toggled(chosen, facet, value),
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-2 min-h-9 to-960:min-h-11">
      <ul
        ref={list}
        role="list"
        className="flex flex-wrap items-center gap-2"
        aria-label={m.catalog_chosen_filters()}
      >
        {chips.map((chip, at) => (
          <li key={`${chip.facet} ${chip.value}`}>
            <button
              type="button"
              className={classNames(
                'inline-flex items-center gap-2 max-w-full min-h-9 py-0 px-3 border border-accent-text',
                'rounded-[1.25rem] bg-accent-wash text-ink text-1 cursor-pointer',
                'hover:border-ink',
                'to-960:min-h-11 to-960:rounded-[1.5rem]',
              )}
              aria-label={
                chip.name === undefined
                  ? m.catalog_remove_filter_of({ facet: chip.facet })
                  : m.catalog_remove_filter({ name: chip.name })
              }
              onClick={() => remove(chip, at)}
            >
              <span className="min-w-0 truncate">{chip.name ?? '…'}</span>
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="min-h-9 py-0 px-2 text-accent-text text-1 font-strong cursor-pointer hover:underline to-960:min-h-11"
        onClick={() => {
          onEmptied();
          onChange(NO_FACETS);
        }}
      >
        {m.catalog_clear_all()}
      </button>
      {author?.facet === 'author' &&
        author.value &&
        author.name &&
        others.length === 0 &&
        searchTerm === '' && (
          <Suspense>
            <ShareButton kind="author" id={author.value} title={author.name} />
          </Suspense>
        )}
    </div>
  );
}
