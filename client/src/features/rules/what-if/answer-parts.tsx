import * as m from '#words/messages.js';
import { StaffLink } from '../../../domain/staff-link.js';
import type { ReactNode } from 'react';
import pagePart from '../../../components/display/page-part.module.css';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import {
  type AnswerPartProps,
  limitsTable,
  readersTable,
  figuresOf,
  type ToldFigure,
  figuresTable,
  SaveTable,
} from './simulation-tables.js';
import { inGroups } from '../../../lib/texts.js';
import { LIMIT_NAMES, RELAXED_LIMIT_LABELS } from './labels.js';
import { classNames } from '../../../lib/class-names.js';
import { READERS_SHOWN, readSimulationReaders, type SimulationReaders } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { ErrorState } from '../../../components/list/placeholders.js';
import { useMay } from '../../../lib/session.js';
import { feesColumns } from './fees-chart.js';
import { useSimulationReaders } from './simulation-calls.js';
import { Fact } from '../../../components/display/fact.js';

interface LimitRow {
  limit: string;
  name: ReactNode;
  times: ReactNode;
  readers: ReactNode;
}

const LIMIT_COLUMNS: readonly ListColumn<LimitRow>[] = [
  {
    title: m.what_if_refused(),
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ name }) => name,
  },
  { title: m.common_times(), look: 'number', cell: ({ times }) => times },
  { title: m.common_readers(), look: 'number', cell: ({ readers }) => readers },
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
      name: <strong>{m.what_if_any_limit()}</strong>,
      times: <strong>{inGroups(all)}</strong>,
      readers: <strong>{inGroups(limits.readers)}</strong>,
    },
  ];
  return (
    <section aria-labelledby="limits" className="flex flex-col gap-3 min-w-0">
      <div className={pagePart.titleRow}>
        <h3 id="limits">{m.what_if_limits()}</h3>
        <SaveTable simulation={simulation} title={m.what_if_limits()} table={() => limitsTable(answer)} />
      </div>
      {all === 0 ? (
        <p className="text-ink-soft text-1 max-w-measure">{m.what_if_limits_nobody()}</p>
      ) : (
        <>
          <p className="text-ink-soft text-1 max-w-measure">{m.what_if_limits_hint()}</p>
          <ListTable
            columns={LIMIT_COLUMNS}
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
          <h4>{m.what_if_not_known()}</h4>
          <dl>
            {cannotBeTold.map((limit) => (
              <Fact key={limit} data-cannot-be-told={limit} name={RELAXED_LIMIT_LABELS[limit].name}>
                {RELAXED_LIMIT_LABELS[limit].why}
              </Fact>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}

const READER_COLUMNS: readonly ListColumn<SimulationReaders['items'][number]>[] = [
  {
    title: m.common_reader(),
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ id, fullname }) => <StaffLink to={`/admin/readers/${id}`}>{fullname}</StaffLink>,
  },
  ...feesColumns(m.what_if_late_fees()),
];

interface ChangedReadersProps extends AnswerPartProps {
  /** Whether they were asked for. */
  isWanted: boolean;
  onWant: () => void;
}

/** Whom the rules would have changed most; their names are for admins, who ask for them. */
export function ChangedReaders({ simulation, answer, isWanted, onWant }: ChangedReadersProps) {
  const { changedReaders: changed } = answer;
  const mayName = useMay(readSimulationReaders);
  const readers = useSimulationReaders(simulation.id, isWanted);
  const named = readers.data;
  return (
    <section aria-labelledby="changed-readers" className="flex flex-col gap-3 min-w-0">
      <div className={pagePart.titleRow}>
        <h3 id="changed-readers">{m.what_if_changed_readers()}</h3>
        {isWanted && named && (
          <SaveTable
            simulation={simulation}
            title={m.what_if_changed_readers()}
            table={() => readersTable(named)}
          />
        )}
      </div>
      <p className="text-ink-soft text-1 max-w-measure">
        {changed === 0 ? m.what_if_nobody_changed() : m.what_if_readers_changed({ count: changed })}
      </p>
      {mayName && changed > 0 && !isWanted && (
        <div>
          <Button onClick={onWant}>
            {changed > READERS_SHOWN ? m.what_if_name_most({ most: READERS_SHOWN }) : m.what_if_name_them()}
          </Button>
          <p className="note">{m.what_if_naming_recorded()}</p>
        </div>
      )}
      {isWanted &&
        (readers.isError ? (
          <ErrorState of={readers} />
        ) : (
          <ListTable
            columns={READER_COLUMNS}
            items={named}
            keyOf={({ id }) => id}
            rowProps={({ id }) => ({ 'data-changed-reader': id })}
            waiting={5}
          />
        ))}
    </section>
  );
}

const FIGURE_COLUMNS: readonly ListColumn<ToldFigure>[] = [
  {
    title: m.what_if_figure(),
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ name, note }) => (
      <>
        {name}
        {note !== undefined && <span className="text-ink-soft text-1 block">{note}</span>}
      </>
    ),
  },
  { title: m.what_if_happened(), look: 'number', cell: ({ real }) => real },
  { title: m.what_if_under_these(), look: 'number', cell: ({ simulated }) => <strong>{simulated}</strong> },
  { title: m.what_if_difference(), look: 'number', cell: ({ by }) => by },
];

/** The whole span, as it was beside as it would have been. */
export function FiguresTable({ simulation, answer }: AnswerPartProps) {
  return (
    <section aria-labelledby="figures">
      <div className={pagePart.titleRow}>
        <h3 id="figures">{m.what_if_figures()}</h3>
        <SaveTable simulation={simulation} title={m.what_if_figures()} table={() => figuresTable(answer)} />
      </div>
      <ListTable
        columns={FIGURE_COLUMNS}
        items={figuresOf(answer)}
        keyOf={({ name }) => name}
        rowProps={({ name }) => ({ 'data-figure': name })}
        waiting={8}
      />
    </section>
  );
}
