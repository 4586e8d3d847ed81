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
import { inGroups, counted } from '../../../lib/texts.js';
import { LIMIT_NAMES, RELAXED_LIMIT_LABELS } from './labels.js';
import { classNames } from '../../../lib/class-names.js';
import { Link } from 'react-router-dom';
import { READERS_SHOWN, type SimulationReaders } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { ErrorState } from '../../../components/list/placeholders.js';
import { isAdmin, useUser } from '../../../lib/session.js';
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
          Nobody: these rules would have allowed everything readers did.
        </p>
      ) : (
        <>
          <p className="text-ink-soft text-1 max-w-measure">
            Refusals are counted, but the trial goes on as if they had not happened.
          </p>
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
          <h4>Not known</h4>
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
    title: 'Reader',
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ id, fullname }) => <Link to={`/admin/readers/${id}`}>{fullname}</Link>,
  },
  ...feesColumns('Late fees'),
];

interface ChangedReadersProps extends AnswerPartProps {
  /** Whether they were asked for. */
  isWanted: boolean;
  onWant: () => void;
}

/** Whom the rules would have changed most; their names are for admins, who ask for them. */
export function ChangedReaders({ simulation, answer, isWanted, onWant }: ChangedReadersProps) {
  const { changedReaders: changed } = answer;
  const mayName = isAdmin(useUser());
  const readers = useSimulationReaders(simulation.id, isWanted);
  const named = readers.data;
  return (
    <section aria-labelledby="changed-readers" className="flex flex-col gap-3 min-w-0">
      <div className={pagePart.titleRow}>
        <h3 id="changed-readers">Readers with different fees</h3>
        {isWanted && named && (
          <SaveTable
            simulation={simulation}
            title="Readers with different fees"
            table={() => readersTable(named)}
          />
        )}
      </div>
      <p className="text-ink-soft text-1 max-w-measure">
        {changed === 0
          ? 'Nobody’s late fees would have changed.'
          : `${counted(changed, 'reader', 'readers')} would have had different late fees.`}
      </p>
      {mayName && changed > 0 && !isWanted && (
        <div>
          <Button onClick={onWant}>
            {changed > READERS_SHOWN ? `Name the ${READERS_SHOWN} it changes most` : 'Name them'}
          </Button>
          <p className="note">Each counts as a look at that reader and is recorded.</p>
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
    title: 'Figure',
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ name, note }) => (
      <>
        {name}
        {note !== undefined && <span className="text-ink-soft text-1 block">{note}</span>}
      </>
    ),
  },
  { title: 'What happened', look: 'number', cell: ({ real }) => real },
  { title: 'Under these rules', look: 'number', cell: ({ simulated }) => <strong>{simulated}</strong> },
  { title: 'Difference', look: 'number', cell: ({ by }) => by },
];

/** The whole span, as it was beside as it would have been. */
export function FiguresTable({ simulation, answer }: AnswerPartProps) {
  return (
    <section aria-labelledby="figures">
      <div className={pagePart.titleRow}>
        <h3 id="figures">Compared with what happened</h3>
        <SaveTable
          simulation={simulation}
          title="Compared with what happened"
          table={() => figuresTable(answer)}
        />
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
