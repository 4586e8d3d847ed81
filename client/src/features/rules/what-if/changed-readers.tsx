import { Link } from 'react-router-dom';
import { READERS_SHOWN, type SimulationReaders } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { ErrorState } from '../../../components/list/error-state.js';
import pagePart from '../../../components/display/page-part.module.css';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import { isAdmin, useUser } from '../../../lib/session.js';
import type { AnswerPartProps } from './answer-part.js';
import { feesColumns } from './fees-columns.js';
import { SaveTable } from './save-table.js';
import { useSimulationReaders } from './simulation-calls.js';
import { readersTable } from './simulation-tables.js';
import { counted } from '../../../lib/counted.js';

const COLUMNS: readonly ListColumn<SimulationReaders['items'][number]>[] = [
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
        <h3 id="changed-readers">Readers with other fees</h3>
        {isWanted && named && (
          <SaveTable
            simulation={simulation}
            title="Readers with other fees"
            table={() => readersTable(named)}
          />
        )}
      </div>
      <p className="text-ink-soft text-1 max-w-measure">
        {changed === 0
          ? 'Nobody’s late fees would have been others.'
          : `${counted(changed, 'reader', 'readers')} would have had other late fees.`}
      </p>
      {mayName && changed > 0 && !isWanted && (
        <div>
          <Button onClick={onWant}>
            {changed > READERS_SHOWN ? `Name the ${READERS_SHOWN} it changes most` : 'Name them'}
          </Button>
          <p className="note">It is a look at each of them, and recorded as one.</p>
        </div>
      )}
      {isWanted &&
        (readers.isError ? (
          <ErrorState
            error={readers.error}
            onRetry={() => void readers.refetch()}
            retrying={readers.isFetching}
          />
        ) : (
          <ListTable
            columns={COLUMNS}
            items={named}
            keyOf={({ id }) => id}
            rowProps={({ id }) => ({ 'data-changed-reader': id })}
            waiting={5}
          />
        ))}
    </section>
  );
}
