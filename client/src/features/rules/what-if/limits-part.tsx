import type { ReactNode } from 'react';
import pagePart from '../../../components/display/page-part.module.css';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import type { AnswerPartProps } from './answer-part.js';
import { SaveTable } from './save-table.js';
import { limitsTable } from './simulation-tables.js';
import { inGroups } from '../../../lib/counted.js';
import { LIMIT_NAMES, RELAXED_LIMIT_LABELS } from './labels.js';
import { classNames } from '../../../lib/class-names.js';

interface LimitRow {
  limit: string;
  name: ReactNode;
  times: ReactNode;
  readers: ReactNode;
}

const COLUMNS: readonly ListColumn<LimitRow>[] = [
  {
    title: 'What would have been refused',
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ name }) => name,
  },
  { title: 'Times', look: 'number', cell: ({ times }) => times },
  { title: 'Readers', look: 'number', cell: ({ readers }) => readers },
];

/** Who would have met a limit, and which limits nobody can tell anything of. */
export function LimitsPart({ simulation, answer }: AnswerPartProps) {
  const { limits, cannotBeTold } = answer;
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const all = names.reduce((sum, name) => sum + limits[name].times, 0);
  const rows: LimitRow[] = [
    ...names.map((limit) => ({
      limit,
      name: LIMIT_NAMES[limit],
      times: inGroups(limits[limit].times),
      readers: inGroups(limits[limit].readers),
    })),
    {
      limit: 'all',
      name: <strong>Any of these</strong>,
      times: <strong>{inGroups(all)}</strong>,
      readers: <strong>{inGroups(limits.readers)}</strong>,
    },
  ];
  return (
    <section aria-labelledby="limits" className="flex flex-col gap-3 min-w-0">
      <div className={pagePart.titleRow}>
        <h3 id="limits">Who would have met a limit</h3>
        <SaveTable
          simulation={simulation}
          title="Who would have met a limit"
          table={() => limitsTable(answer)}
        />
      </div>
      {all === 0 ? (
        <p className="text-ink-soft text-1 max-w-measure">
          Nobody: all that readers did, these rules would have allowed.
        </p>
      ) : (
        <>
          <p className="text-ink-soft text-1 max-w-measure">
            It is counted, and happens in the trial all the same.
          </p>
          <ListTable
            columns={COLUMNS}
            items={rows}
            keyOf={({ limit }) => limit}
            rowProps={({ limit }) => ({ 'data-limit': limit })}
            waiting={4}
          />
        </>
      )}
      {cannotBeTold.length > 0 && (
        <div
          className={classNames(
            'py-3 px-4 border-l-3 border-line-strong bg-surface',
            '[&_h4]:m-0 [&_h4]:mb-2 [&_h4]:text-2 [&_h4]:font-semibold [&_dl]:flex [&_dl]:flex-col [&_dl]:gap-2',
            '[&_dl]:m-0 [&_dl]:text-1 [&_dt]:font-strong [&_dd]:m-0 [&_dd]:text-ink-soft',
          )}
        >
          <h4>Cannot be told</h4>
          <dl>
            {cannotBeTold.map((limit) => (
              <div key={limit} data-cannot-be-told={limit}>
                <dt>{RELAXED_LIMIT_LABELS[limit].name}</dt>
                <dd>{RELAXED_LIMIT_LABELS[limit].why}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}
