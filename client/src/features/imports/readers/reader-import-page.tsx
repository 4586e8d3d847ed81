import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  fetchRefusedReaders,
  MOST_INVITED_AN_HOUR,
  READER_FIELD_LABELS,
  READER_IMPORT_OUTCOMES,
  READER_ROWS_PAGE_SIZE,
  type ReaderImport,
  type ReaderImportOutcome,
  type ReaderImportRow,
} from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { Meter } from '../../../components/display/meter.js';
import pagePart from '../../../components/display/page-part.module.css';
import { PartLinks } from '../../../components/display/part-links.js';
import { Button } from '../../../components/form/button.js';
import { TypedField } from '../../../components/form/field.js';
import listPage from '../../../components/list/list-page.module.css';
import { PagedTable } from '../../../components/list/list-page.js';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/list/placeholders.js';
import type { ListColumn } from '../../../components/list/table.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { sendForFile } from '../../../lib/api/send.js';
import { isoDay } from '../../../lib/dates.js';
import { saveFile } from '../../../lib/save-file.js';
import { inGroups } from '../../../lib/texts.js';
import { useNow } from '../../../lib/use-now.js';
import { oneOf, pageParameter, useAddress, writeAddress, type Parameter } from '../../../lib/use-address.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { DONE_NAMES } from '../import-labels.js';
import {
  KIND_NAMES,
  OUTCOME_NAMES,
  rowsIn,
  stateText,
  useReaderImport,
  useReaderImportCalls,
  useReaderRows,
} from './reader-import-calls.js';

const PARTS = ['all', ...READER_IMPORT_OUTCOMES] as const;
type Part = (typeof PARTS)[number];

const partParameter: Parameter<Part> = { ...oneOf('part', PARTS, 'all'), step: true };
const ADDRESS = { part: partParameter, pageNumber: pageParameter } as const;

/** One file of readers: what it would do, row by row; then what it did, and who is invited. */
export function ReaderImportPage() {
  const { id = '' } = useParams();
  const read = useReaderImport(id);
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  usePageTitle(read.data?.name ?? m.readers_import_title());
  if (read.isError && !read.data) return <ErrorState of={read} />;
  if (!read.data) return <SkeletonLines label={m.import_loading()} widths={[40, 90, 70]} />;
  return (
    <>
      <Head of={read.data} />
      <Invitations of={read.data} />
      <Parts of={read.data} part={part} />
      {/* Another part is another list. */}
      <Rows key={part} of={read.data} outcome={part === 'all' ? undefined : part} address={address} />
    </>
  );
}

function Head({ of }: { of: ReaderImport }) {
  const { id, kind, name, state, startedAt, startedBy, handled, total, outcomes, hasRows } = of;
  const { run, forget } = useReaderImportCalls(id);
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const refused = useMutation({
    mutationFn: async () =>
      saveFile(await sendForFile(fetchRefusedReaders, { params: { id } }), `refused-${name}`),
  });
  const params = { id };
  const count = outcomes.new + outcomes.changed;
  const isAtWork = state === 'reading' || state === 'running';
  return (
    <header className="mb-6">
      <p className="text-1">
        <Link to="/admin/users/imports">{m.import_all_link()}</Link>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mt-1 [&_h2]:min-w-0 [&_h2]:wrap-anywhere">
        <h2 className={listPage.title}>{name}</h2>
        <div className="flex flex-wrap gap-2 ml-auto phone:w-full phone:ml-0 phone:[&>*]:flex-1">
          {state === 'staged' && count > 0 && (
            <Button look="primary" busy={run.isPending} onClick={() => run.mutate({ params })}>
              {kind === 'loans' ? m.readers_import_take_over({ count }) : m.readers_import_run({ count })}
            </Button>
          )}
          {hasRows && (
            <Button busy={refused.isPending} onClick={() => refused.mutate()}>
              {m.readers_import_save_refused()}
            </Button>
          )}
          {!isAtWork && (
            <Button look="plain" busy={forget.isPending} onClick={() => setAsking(true)}>
              {m.import_forget()}
            </Button>
          )}
        </div>
      </div>
      <p className={pagePart.about}>
        <span>{KIND_NAMES[kind]}</span>
        <span>{m.readers_import_row_count({ count: rowsIn(of) })}</span>
        <span>
          {startedBy === null
            ? m.import_begun({ day: isoDay(startedAt) })
            : m.import_begun_by({ day: isoDay(startedAt), by: startedBy })}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 mt-3" data-import-state={state}>
        {isAtWork && total > 0 && (
          <Meter className="flex-[1_1_14rem]" value={handled} max={total} label={m.import_progress()} />
        )}
        <p role="status">{stateText(of)}</p>
      </div>
      {state === 'done' && <p className="note mt-2">{m.readers_import_kept()}</p>}
      {isAsking && (
        <Confirmation
          question={m.import_forget_question()}
          action={m.import_forget()}
          busy={forget.isPending}
          onConfirm={() =>
            forget.mutate(
              { params },
              { onSuccess: () => void navigate('/admin/users/imports'), onSettled: () => setAsking(false) },
            )
          }
          onDecline={() => setAsking(false)}
        >
          {state === 'done' ? m.readers_import_forget_done() : m.import_forget_staged()}
        </Confirmation>
      )}
    </header>
  );
}

/** Those whom it added choose a password by a letter. */
function Invitations({ of: { id, state, invitations } }: { of: ReaderImport }) {
  const { invite } = useReaderImportCalls(id);
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

function Parts({ of, part }: { of: ReaderImport; part: Part }) {
  const addressOf = (to: Part) => `?${writeAddress(ADDRESS, { part: to, pageNumber: 1 }).toString()}`;
  const countOf = (each: Part) => (each === 'all' ? rowsIn(of) : of.outcomes[each]);
  return (
    <PartLinks label={m.import_parts()} parts={PARTS} current={part} addressOf={addressOf} className="mb-4">
      {(each) => (
        <>
          {each === 'all' ? m.import_outcome_all() : OUTCOME_NAMES[each]}
          <span className="min-w-6 px-1 rounded bg-sunk text-ink-soft tabular-nums text-center">
            {inGroups(countOf(each))}
          </span>
        </>
      )}
    </PartLinks>
  );
}

const COLUMNS: readonly ListColumn<ReaderImportRow>[] = [
  { title: m.readers_import_line(), look: 'number', cell: ({ line }) => inGroups(line) },
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
    cell: ({ outcome, done, reason, differs }) => (
      <>
        <p className="font-strong">{done === null ? OUTCOME_NAMES[outcome] : DONE_NAMES[done]}</p>
        {reason !== null && <p className="text-1">{reason}</p>}
        <ul role="list" className="text-1">
          {differs.map(({ field, ours, theirs }) => (
            <li key={field} className="wrap-anywhere">
              <span className="text-ink-soft">{READER_FIELD_LABELS[field]()}:</span>{' '}
              {ours !== '' && <del className="text-ink-soft">{ours}</del>}{' '}
              <ins className="no-underline">{theirs}</ins>
            </li>
          ))}
        </ul>
      </>
    ),
  },
];

interface RowsProps {
  of: ReaderImport;
  outcome: ReaderImportOutcome | undefined;
  address: PageAddress;
}

function Rows({ of, outcome, address }: RowsProps) {
  const rows = useReaderRows(of, outcome, address[0].pageNumber);
  const list = useList(address, rows, READER_ROWS_PAGE_SIZE);
  return (
    <PagedTable
      list={list}
      label={m.readers_import_rows()}
      pagesLabel={m.import_pages()}
      empty={<EmptyState title={m.import_no_rows()} />}
      table={{
        columns: COLUMNS,
        keyOf: ({ line }) => line,
        rowProps: ({ line, outcome: what }) => ({ 'data-row': line, 'data-outcome': what }),
        waiting: 8,
      }}
    />
  );
}
