import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  fetchRefusedReaders,
  MOST_INVITED_AN_HOUR,
  READER_FIELD_LABELS,
  READER_IMPORT_OUTCOMES,
  type ReaderImport,
  type ReaderImportOutcome,
  type ReaderImportRow,
} from '#contracts/accounts/reader-import.js';
import { IMPORT_ROWS_PAGE_SIZE } from '#contracts/imports.js';
import * as m from '#words/messages.js';
import { Button } from '../../../components/form/button.js';
import { TypedField } from '../../../components/form/field.js';
import { PagedTable } from '../../../components/list/list-page.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import type { ListColumn } from '../../../components/list/table.js';
import { sendForFile } from '../../../lib/api/send.js';
import { saveFile } from '../../../lib/save-file.js';
import { inGroups } from '../../../lib/texts.js';
import { useNow } from '../../../lib/use-now.js';
import { oneOf, pageParameter, useAddress, writeAddress, type Parameter } from '../../../lib/use-address.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { useReaderCalls, useReaderImport, useReaderRows } from '../import-calls.js';
import { Candidates, ImportFrame, RowOutcome } from '../import-frame.js';
import { DONE_NAMES, KIND_NAMES, READER_OUTCOME_NAMES, rowsIn } from '../import-labels.js';

const PARTS = ['all', ...READER_IMPORT_OUTCOMES] as const;
type Part = (typeof PARTS)[number];

const partParameter: Parameter<Part> = { ...oneOf('part', PARTS, 'all'), step: true };
const ADDRESS = { part: partParameter, pageNumber: pageParameter } as const;
const NAMES = { all: m.import_outcome_all(), ...READER_OUTCOME_NAMES };

/** One file of readers; and who of them is invited. */
export function ReaderImportPage() {
  const { id = '' } = useParams();
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  const { forget } = useReaderCalls(id);
  return (
    <ImportFrame
      of={useReaderImport(id)}
      at="/admin/users/imports"
      title={m.readers_import_title()}
      facts={(of) => [KIND_NAMES[of.kind], m.readers_import_row_count({ count: rowsIn(of) })]}
      actions={(of) => <Actions of={of} />}
      forget={forget}
      forgetting={({ state }) =>
        state === 'staged' ? m.import_forget_staged() : m.readers_import_forget_done()
      }
      parts={PARTS}
      names={NAMES}
      part={part}
      addressOf={(to) => `?${writeAddress(ADDRESS, { part: to, pageNumber: 1 }).toString()}`}
      between={(of) => (
        <>
          {of.outcomes.waiting > 0 && <p className="note mb-4">{m.readers_import_waiting()}</p>}
          {of.state === 'done' && <p className="note mb-4">{m.readers_import_kept()}</p>}
          <Invitations of={of} />
        </>
      )}
    >
      {/* Another part is another list. */}
      {(of) => <Rows key={part} of={of} outcome={part === 'all' ? undefined : part} address={address} />}
    </ImportFrame>
  );
}

function Actions({ of }: { of: ReaderImport }) {
  const { id, kind, name, state, isLeft, outcomes, chosen, hasRows } = of;
  const { run } = useReaderCalls(id);
  const refused = useMutation({
    mutationFn: async () =>
      saveFile(await sendForFile(fetchRefusedReaders, { params: { id } }), `refused-${name}`),
  });
  const count = chosen + outcomes.waiting;
  return (
    <>
      {(state === 'staged' || state === 'done' || (isLeft && state === 'running')) && count > 0 && (
        <Button look="primary" busy={run.isPending} onClick={() => run.mutate({ params: { id } })}>
          {kind === 'loans' ? m.readers_import_take_over({ count }) : m.readers_import_run({ count })}
        </Button>
      )}
      {hasRows && (
        <Button busy={refused.isPending} onClick={() => refused.mutate()}>
          {m.readers_import_save_refused()}
        </Button>
      )}
    </>
  );
}

/** Those whom it added choose a password by a letter. */
function Invitations({ of: { id, state, invitations } }: { of: ReaderImport }) {
  const { invite } = useReaderCalls(id);
  const now = useNow(true);
  const [typed, setTyped] = useState(String(invitations.perHour ?? 200));
  const [from, setFrom] = useState('');
  const { waiting, sent, accepted } = invitations;
  if (state !== 'done' || waiting + sent === 0) return null;
  const perHour = Number(typed);
  const isRight = Number.isInteger(perHour) && perHour >= 1 && perHour <= MOST_INVITED_AN_HOUR;
  const error = isRight ? undefined : m.cli_readers_invite_range({ most: MOST_INVITED_AN_HOUR });
  const turnTo = (to: 'running' | 'paused' | 'ended') => {
    const begins = to === 'running' && from !== '' ? { from: new Date(from).toISOString() } : {};
    if (isRight) invite.mutate({ params: { id }, body: { state: to, perHour, ...begins } });
  };
  const isRunning = invitations.state === 'running';
  const isLater = isRunning && invitations.from !== null && Date.parse(invitations.from) > now;
  return (
    <section
      className="max-w-160 mb-6 p-4 border border-line rounded"
      data-invitations={invitations.state ?? 'none'}
    >
      <h3 className="mb-1 text-3">{m.readers_invite_title()}</h3>
      <p className="note mb-3">{m.readers_invite_lead()}</p>
      <p className="mb-3" role="status">
        {m.readers_invite_counts({ sent, waiting, accepted })}
        {isLater && ` ${m.readers_invite_from({ at: new Date(invitations.from ?? '').toLocaleString() })}`}
        {invitations.state === 'paused' && ` ${m.readers_invite_paused()}`}
        {invitations.state === 'ended' && ` ${m.readers_invite_ended()}`}
      </p>
      {waiting > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          {!isRunning && (
            <>
              <TypedField
                label={m.readers_invite_per_hour()}
                inputMode="numeric"
                value={typed}
                error={error}
                onValue={setTyped}
              />
              <TypedField
                label={m.readers_invite_begin_at()}
                type="datetime-local"
                value={from}
                onValue={setFrom}
              />
            </>
          )}
          <Button
            {...(!isRunning && { look: 'primary' })}
            busy={invite.isPending}
            onClick={() => turnTo(isRunning ? 'paused' : 'running')}
          >
            {isRunning ? m.readers_invite_pause() : m.readers_invite_begin({ count: waiting })}
          </Button>
          {isRunning && (
            <Button look="plain" busy={invite.isPending} onClick={() => turnTo('ended')}>
              {m.readers_invite_end()}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

interface RowsProps {
  of: ReaderImport;
  outcome: ReaderImportOutcome | undefined;
  address: PageAddress;
}

function Rows({ of, outcome, address }: RowsProps) {
  const { id, state, kind } = of;
  const { settle } = useReaderCalls(id);
  const list = useList(address, useReaderRows(of, outcome, address[0].pageNumber), IMPORT_ROWS_PAGE_SIZE);
  const isOpen = state === 'staged' || state === 'done';
  const columns: readonly ListColumn<ReaderImportRow>[] = [
    { title: m.readers_import_line(), look: 'number', cell: ({ place }) => inGroups(place) },
    {
      title: m.common_reader(),
      look: 'text',
      heads: true,
      className: 'min-w-40 to-860:min-w-0',
      cell: ({ name, accountId }) =>
        accountId === null ? (
          name || m.readers_import_nobody()
        ) : (
          <Link to={`/admin/readers/${accountId}`}>{name || m.readers_import_open()}</Link>
        ),
    },
    {
      title: m.import_becomes(),
      look: 'text',
      className: 'min-w-60 to-860:min-w-0 to-860:col-span-2',
      cell: ({ place, outcome: what, done, reason, differs, candidates }) => (
        <RowOutcome
          name={done === null ? READER_OUTCOME_NAMES[what] : DONE_NAMES[done]}
          reason={reason}
          differs={differs}
          labels={READER_FIELD_LABELS}
          wins={() => true}
        >
          {isOpen && done === null && candidates.length > 0 && (
            <Candidates
              question={m.readers_import_whose()}
              of={[
                ...candidates.map(({ id: reader, name, card }) => ({
                  id: reader,
                  text: m.readers_import_is_reader({ name, card }),
                })),
                ...(kind === 'readers' ? [{ id: 'new' as const, text: m.readers_import_is_new() }] : []),
              ]}
              none={m.readers_import_is_nobody()}
              busy={settle.isPending}
              onSettle={(accountId) => settle.mutate({ params: { id, place }, body: { accountId } })}
            />
          )}
        </RowOutcome>
      ),
    },
  ];
  return (
    <PagedTable
      list={list}
      label={m.readers_import_rows()}
      pagesLabel={m.import_pages()}
      empty={<EmptyState title={m.import_no_rows()} />}
      table={{
        columns,
        keyOf: ({ place }) => place,
        rowProps: ({ place, outcome: what }) => ({ 'data-row': place, 'data-outcome': what }),
        waiting: 8,
      }}
    />
  );
}
