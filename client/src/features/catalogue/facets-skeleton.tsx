import * as m from '#words/messages.js';
import { Skeleton } from '../../components/list/placeholders.js';

const WIDTHS = ['70%', '55%', '62%', '48%', '66%', '52%'];

/** Where the facets will stand. */
export function FacetsSkeleton() {
  return (
    <div
      className="flex flex-col gap-6"
      role="group"
      aria-busy="true"
      aria-label={m.catalog_filters_loading()}
    >
      {[1, 2, 3].map((group) => (
        <div key={group} className="flex flex-col gap-3">
          {WIDTHS.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  );
}
