import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Drawer } from '../../components/dialog/drawer.js';
import { chosenCount, NO_FACETS, type ChosenFacets } from '../../domain/catalogue/filter-address.js';
import { FacetsPanel } from './facets-panel.js';

interface FacetsSheetProps {
  searchTerm: string;
  chosen: ChosenFacets;
  /** How many books the list has; undefined while nobody knows. */
  found: number | undefined;
  onChange: (changes: Partial<ChosenFacets>) => void;
  onClose: () => void;
}

/** The filters where there is no room beside the list. */
export function FacetsSheet({ searchTerm, chosen, found, onChange, onClose }: FacetsSheetProps) {
  const count = chosenCount(chosen);
  return (
    <Drawer
      over={count === 0 ? m.catalog_no_filters() : m.catalog_count_chosen({ count })}
      title={m.catalog_filters()}
      onClose={onClose}
      actions={
        <>
          {count > 0 && <Button onClick={() => onChange(NO_FACETS)}>{m.catalog_clear_all()}</Button>}
          <Button look="primary" onClick={onClose}>
            {found === undefined ? m.catalog_show_books() : m.catalog_show_found({ count: found })}
          </Button>
        </>
      }
    >
      <FacetsPanel searchTerm={searchTerm} chosen={chosen} onChange={onChange} />
    </Drawer>
  );
}
