import * as m from '#words/messages.js';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
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

const WHAT: Record<TillLine['kind'], string> = { fee: m.till_fees_taken(), refund: m.till_given_back() };
const byWhom = ({ by }: TillLine) => by ?? m.till_removed_account();
const keyOf = ({ byId, kind }: TillLine) => `${byId} ${kind}`;

const COLUMNS: readonly ListColumn<TillLine>[] = [
  { title: m.common_by(), look: 'name', cell: byWhom },
  { title: m.common_what(), cell: ({ kind }) => WHAT[kind] },
  { title: m.common_times(), look: 'number', cell: ({ times }) => times },
  { title: m.till_amount(), look: 'number', cell: ({ amount }) => money(amount) },
];

/** What was taken and given back at the desk on a day, by whom, and what is in the till of it. */
export function TillPage() {
  usePageTitle(m.till_title());
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
      {!isInAdminArea && <h1 className="visually-hidden">{m.common_audit()}</h1>}
      <ListHead title={m.till_title()} count={data && m.till_sum_on({ sum: money(data.sum), day: data.day })}>
        {!isInAdminArea && <Link to="/audit">{m.common_back_to_readers()}</Link>}
        {hasLines && (
          <>
            <Button icon={Printer} onClick={() => setPrinting(true)}>
              {m.common_print()}
            </Button>
            <SaveAsCsv file={file} />
          </>
        )}
      </ListHead>
      <div className="mb-4">
        <DayField label={m.till_day()} value={day} max={today} onChoose={(next) => change({ day: next })} />
      </div>
      {till.isError && !data ? (
        <ErrorState of={till} />
      ) : data && !hasLines ? (
        <EmptyState title={m.till_empty()}>{m.till_empty_lead()}</EmptyState>
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
    <Printed
      over={libraryTitle}
      title={m.till_of_day({ day })}
      lead={m.till_in_till({ sum: money(sum) })}
      onDone={onDone}
    >
      <PrintedTable columns={COLUMNS} items={lines} keyOf={keyOf} />
    </Printed>
  );
}
