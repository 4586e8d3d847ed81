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
      over={count === 0 ? 'No filters' : `${count} chosen`}
      title="Filters"
      onClose={onClose}
      actions={
        <>
          {count > 0 && <Button onClick={() => onChange(NO_FACETS)}>Clear all</Button>}
          <Button look="primary" onClick={onClose}>
            {found === undefined
              ? 'Show books'
              : `Show ${new Intl.NumberFormat('en-US').format(found)} ${found === 1 ? 'book' : 'books'}`}
          </Button>
        </>
      }
    >
      <FacetsPanel searchTerm={searchTerm} chosen={chosen} onChange={onChange} />
    </Drawer>
  );
}
