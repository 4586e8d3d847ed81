import { X } from 'lucide-react';
import { useRef } from 'react';
import { NO_FACETS, type ChosenFacets } from '../../domain/catalogue/filter-address.js';
import styles from './facet-chips.module.css';
import { chipsOf, toggled, type Chip } from './facet-values.js';
import { useFacets } from './get-facets.js';

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
    <div className={styles.row}>
      <ul ref={list} role="list" className={styles.chips} aria-label="Chosen filters">
        {chips.map((chip, at) => (
          <li key={`${chip.facet} ${chip.value}`}>
            <button
              type="button"
              className={styles.chip}
              aria-label={`Remove the filter ${chip.name ?? chip.facet}`}
              onClick={() => remove(chip, at)}
            >
              <span className={styles.name}>{chip.name ?? '…'}</span>
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={styles.clear}
        onClick={() => {
          onEmptied();
          onChange(NO_FACETS);
        }}
      >
        Clear all
      </button>
    </div>
  );
}
