import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { isDay } from '#contracts/local-day.js';
import { money } from '#contracts/money.js';
import { fetchTill, readTill, type Till, type TillLine } from '#contracts/payments/till.js';
import { Printed, PrintedTable } from '../../components/display/printed.js';
import { Button } from '../../components/form/button.js';
import { ListHead, SaveAsCsv } from '../../components/list/list-page.js';
import { EmptyState, ErrorState } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { libraryTitle } from '../../domain/library.js';
import { DayField } from '../../domain/span-tools.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf, sendForFile } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { saveFile } from '../../lib/save-file.js';
import { useNow } from '../../lib/use-now.js';
import { type Parameter, useAddress } from '../../lib/use-address.js';

const dayParameter: Parameter<string | null> = {
  name: 'day',
  read: (text) => (isDay(text ?? '') ? text : null),
  write: (text) => text ?? '',
};
const ADDRESS = { day: dayParameter } as const;

const WHAT: Record<TillLine['kind'], string> = { fee: 'Fees taken', refund: 'Given back' };
const byWhom = ({ by }: TillLine) => by ?? 'An account that was removed';
const keyOf = ({ byId, kind }: TillLine) => `${byId} ${kind}`;

const COLUMNS: readonly ListColumn<TillLine>[] = [
  { title: 'By', look: 'name', cell: byWhom },
  { title: 'What', cell: ({ kind }) => WHAT[kind] },
  { title: 'Times', look: 'number', cell: ({ times }) => times },
  { title: 'Amount', look: 'number', cell: ({ amount }) => money(amount) },
];

/** What was taken and given back at the desk on a day, by whom, and what is in the till of it. */
export function TillPage() {
  usePageTitle('Till');
  const [{ day: chosen }, change] = useAddress(ADDRESS);
  const today = isoDay(useNow(true));
  const day = chosen ?? today;
  const till = useQuery({ ...queryOf(readTill, { query: { day } }), placeholderData: keepPreviousData });
  const file = useMutation({
    mutationFn: async () => saveFile(await sendForFile(fetchTill, { query: { day } }), `till-${day}.csv`),
  });
  const [printing, setPrinting] = useState(false);
  const printed = useCallback(() => setPrinting(false), []);
  const { data } = till;
  const hasLines = data !== undefined && data.lines.length > 0;
  const isInAdminArea = useLocation().pathname.startsWith('/admin');
  return (
    <div className={isInAdminArea ? undefined : 'w-full max-w-304 mx-auto p-gutter pt-6 pb-16'}>
      {!isInAdminArea && <h1 className="visually-hidden">Audit</h1>}
      <ListHead title="Till" count={data && `${money(data.sum)} on ${data.day}`}>
        {!isInAdminArea && <Link to="/audit">Back to the readers</Link>}
        {hasLines && (
          <>
            <Button icon={Printer} onClick={() => setPrinting(true)}>
              Print
            </Button>
            <SaveAsCsv file={file} />
          </>
        )}
      </ListHead>
      <div className="mb-4">
        <DayField label="Day" value={day} max={today} onChoose={(next) => change({ day: next })} />
      </div>
      {till.isError && !data ? (
        <ErrorState of={till} />
      ) : data && !hasLines ? (
        <EmptyState title="Nothing changed hands on this day">
          What is paid at the desk, and given back there, is listed here at once.
        </EmptyState>
      ) : (
        <ListTable
          columns={COLUMNS}
          items={data?.lines}
          keyOf={keyOf}
          stale={till.isPlaceholderData}
          waiting={3}
        />
      )}
      {printing && hasLines && <PrintedTill till={data} onDone={printed} />}
    </div>
  );
}

function PrintedTill({ till: { day, lines, sum }, onDone }: { till: Till; onDone: () => void }) {
  return (
    <Printed over={libraryTitle} title={`Till of ${day}`} lead={`In the till: ${money(sum)}`} onDone={onDone}>
      <PrintedTable columns={COLUMNS} items={lines} keyOf={keyOf} />
    </Printed>
  );
}
