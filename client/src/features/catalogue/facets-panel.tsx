import { useId, useState, type ReactNode } from 'react';
import type { Facet } from '#contracts/catalogue/facet-names.js';
import * as m from '#words/messages.js';
import { Marked } from '../../components/display/marked.js';
import { Button } from '../../components/form/button.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import type { ChosenFacets } from '../../domain/catalogue/filter-address.js';
import { SHOWN_FACETS, toggled, useFacets, valuesOf, type ShownValue } from './facet-values.js';
import styles from './facets-panel.module.css';
import { FacetsSkeleton } from './facets-skeleton.js';

interface FacetsPanelProps {
  searchTerm: string;
  chosen: ChosenFacets;
  onChange: (changes: Partial<ChosenFacets>) => void;
}

/** What the list of books can be narrowed by, with how many books each value would leave. */
export function FacetsPanel({ searchTerm, chosen, onChange }: FacetsPanelProps) {
  const facets = useFacets(searchTerm, chosen);
  if (!facets.data) {
    if (!facets.isError) return <FacetsSkeleton />;
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{m.catalog_filters_failed({ reason: sentenceOf(facets.error) })}</p>
        <Button size="small" onClick={() => void facets.refetch()} busy={facets.isFetching}>
          {m.common_retry()}
        </Button>
      </div>
    );
  }
  const { data } = facets;
  return (
    <div className="flex flex-col gap-6" aria-busy={facets.isPlaceholderData}>
      <label className={styles.value}>
        <input
          type="checkbox"
          checked={chosen.available === '1'}
          onChange={(event) => onChange({ available: event.target.checked ? '1' : undefined })}
        />
        <span className={styles.name}>{m.catalog_available_now()}</span>
        <Count books={data.available} />
      </label>
      {SHOWN_FACETS.map(({ facet, heading }) => (
        <FacetGroup
          key={facet}
          facet={facet}
          heading={heading}
          values={valuesOf(data, facet)}
          chosen={chosen[facet]}
          onToggle={(value) => onChange(toggled(chosen, facet, value))}
        />
      ))}
    </div>
  );
}

/** Words for who does not see what they stand beside. */
const HIDDEN = { hidden: (children: ReactNode) => <span className="visually-hidden">{children}</span> };

/** Up to so many values are shown at first, and those that are chosen. */
const SHORT = 6;

interface FacetGroupProps {
  facet: Facet;
  heading: string;
  values: readonly ShownValue[];
  chosen: readonly (string | number)[];
  onToggle: (value: string | number) => void;
}

function FacetGroup({ facet, heading, values, chosen, onToggle }: FacetGroupProps) {
  const [isWhole, setIsWhole] = useState(false);
  const listId = useId();
  if (values.length === 0) return null;
  const shown = isWhole ? values : values.filter(({ value }, at) => at < SHORT || chosen.includes(value));
  const hidden = values.length - shown.length;
  return (
    <fieldset className="min-w-0 m-0 p-0 border-0">
      <legend className="w-full mb-1 p-0 pb-1 border-b border-line text-1 font-semibold">{heading}</legend>
      <ul role="list" id={listId}>
        {shown.map(({ value, name, books }) => (
          <li key={value}>
            <label className={styles.value}>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
              <span className={styles.name}>{name}</span>
              <Count books={books} />
            </label>
          </li>
        ))}
      </ul>
      {(isWhole || hidden > 0) && values.length > SHORT && (
        <button
          type="button"
          className="min-h-8 p-0 text-accent-text text-1 font-strong cursor-pointer hover:underline to-960:min-h-11 to-960:text-2"
          aria-expanded={isWhole}
          aria-controls={listId}
          onClick={() => setIsWhole(!isWhole)}
        >
          <Marked
            parts={
              isWhole ? m.catalog_fewer.parts({ facet }) : m.catalog_more.parts({ facet, count: hidden })
            }
            as={HIDDEN}
          />
        </button>
      )}
    </fieldset>
  );
}

function Count({ books }: { books: number }) {
  return (
    <span className="flex-none text-ink-soft tabular-nums">
      <Marked parts={m.catalog_facet_books.parts({ count: books })} as={HIDDEN} />
    </span>
  );
}
