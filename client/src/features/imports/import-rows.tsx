import { Link } from 'react-router-dom';
import {
  MARC_FIELD_LABELS,
  MARC_ROWS_PAGE_SIZE,
  type MarcImport,
  type MarcOutcome,
  type MarcRow,
} from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { PagedTable } from '../../components/list/list-page.js';
import { EmptyState } from '../../components/list/placeholders.js';
import type { ListColumn } from '../../components/list/table.js';
import { inGroups } from '../../lib/texts.js';
import { useList, type PageAddress } from '../../lib/use-list.js';
import { useImportCalls, useImportRows } from './import-calls.js';
import { DONE_NAMES, OUTCOME_NAMES } from './import-labels.js';

interface ImportRowsProps {
  of: MarcImport;
  outcome: MarcOutcome | undefined;
  address: PageAddress;
}

/** The rows of an import, each with what becomes of it; those that wait are chosen, or settled by a person. */
export function ImportRows({ of, outcome, address }: ImportRowsProps) {
  const { id, state, wins } = of;
  const { choose, settle } = useImportCalls(id);
  const list = useList(address, useImportRows(id, outcome, address[0].pageNumber), MARC_ROWS_PAGE_SIZE);
  const isOpen = state === 'staged' || state === 'done';
  const mayChoose = ({ outcome: what, done }: MarcRow) =>
    isOpen && done === null && (what === 'new' || what === 'changed');
  const columns: readonly ListColumn<MarcRow>[] = [
    {
      title: m.import_chosen(),
      label: null,
      cell: (row) =>
        mayChoose(row) && (
          <input
            type="checkbox"
            aria-label={m.import_choose_row({ title: row.title })}
            checked={row.chosen}
            disabled={choose.isPending}
            onChange={({ target }) =>
              choose.mutate({ params: { id }, body: { chosen: target.checked, places: [row.place] } })
            }
          />
        ),
    },
    { title: m.import_place(), look: 'number', cell: ({ place }) => inGroups(place) },
    {
      title: m.import_record(),
      look: 'text',
      heads: true,
      className: 'min-w-40 to-860:min-w-0',
      cell: ({ title, number, bookId, done }) => (
        <>
          {bookId !== null && done !== 'undone' ? (
            <Link to={`/book/${bookId}`}>{title}</Link>
          ) : (
            title || <span className="text-ink-soft font-regular">{m.import_unreadable()}</span>
          )}
          {number !== null && (
            <span className="block text-ink-soft text-1 tabular-nums font-regular">{number}</span>
          )}
        </>
      ),
    },
    {
      title: m.import_becomes(),
      look: 'text',
      className: 'min-w-60 to-860:min-w-0 to-860:col-span-2',
      cell: (row) => (
        <>
          <p className="font-strong">
            {row.done === null ? OUTCOME_NAMES[row.outcome] : DONE_NAMES[row.done]}
          </p>
          {row.reason !== null && <p className="text-ink-soft text-1">{row.reason}</p>}
          {row.done !== 'undone' && <Differences row={row} wins={wins} />}
          {isOpen && row.done === null && row.candidates.length > 0 && (
            <Candidates
              row={row}
              busy={settle.isPending}
              onSettle={(bookId) => settle.mutate({ params: { id, place: row.place }, body: { bookId } })}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <>
      {isOpen && (outcome === 'new' || outcome === 'changed') && of.outcomes[outcome] > 0 && (
        <div className="flex flex-wrap gap-2 mb-3">
          {[true, false].map((chosen) => (
            <Button
              key={String(chosen)}
              size="small"
              busy={choose.isPending && choose.variables.body.chosen === chosen}
              onClick={() => choose.mutate({ params: { id }, body: { chosen, outcome } })}
            >
              {chosen ? m.import_choose_all() : m.import_choose_none()}
            </Button>
          ))}
        </div>
      )}
      <PagedTable
        list={list}
        label={m.import_rows()}
        pagesLabel={m.import_pages()}
        empty={<EmptyState title={m.import_no_rows()} />}
        table={{
          columns,
          keyOf: ({ place }) => place,
          rowProps: ({ place, outcome: what }) => ({ 'data-row': place, 'data-outcome': what }),
          waiting: 8,
        }}
      />
    </>
  );
}

/** What both say: what the book gets, and what stays as the catalogue has it. */
function Differences({ row, wins }: { row: MarcRow; wins: MarcImport['wins'] }) {
  if (row.differs.length === 0) return null;
  return (
    <ul role="list" className="text-1">
      {row.differs.map(({ field, ours, theirs }) => (
        <li key={field} className="wrap-anywhere">
          <span className="text-ink-soft">{MARC_FIELD_LABELS[field]()}:</span>{' '}
          {ours === '' ? (
            <ins className="no-underline">{shortened(theirs)}</ins>
          ) : wins.some((each) => each === field) ? (
            <>
              <del className="text-ink-soft">{shortened(ours)}</del>{' '}
              <ins className="no-underline">{shortened(theirs)}</ins>
            </>
          ) : (
            m.import_stays({ ours: shortened(ours), theirs: shortened(theirs) })
          )}
        </li>
      ))}
    </ul>
  );
}

const SHOWN = 120;
const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

interface CandidatesProps {
  row: MarcRow;
  busy: boolean;
  onSettle: (bookId: number | null) => void;
}

/** Of which book it is, a person says. */
function Candidates({ row, busy, onSettle }: CandidatesProps) {
  return (
    <div className="flex flex-col items-start gap-1 mt-1 [&>button]:h-auto [&>button]:py-1 [&>button]:text-left [&>button]:whitespace-normal">
      <p className="text-1">{m.import_which_book()}</p>
      {row.candidates.map(({ id, title, isbn }) => (
        <Button key={id} size="small" aria-disabled={busy} onClick={() => onSettle(id)}>
          {m.import_is_book({ title, isbn })}
        </Button>
      ))}
      <Button size="small" look="plain" aria-disabled={busy} onClick={() => onSettle(null)}>
        {m.import_is_new()}
      </Button>
    </div>
  );
}
