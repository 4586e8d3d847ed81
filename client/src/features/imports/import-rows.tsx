import { Link } from 'react-router-dom';
import {
  MARC_FIELD_LABELS,
  type MarcImport,
  type MarcOutcome,
  type MarcRow,
} from '#contracts/catalogue/marc-import.js';
import { IMPORT_ROWS_PAGE_SIZE } from '#contracts/imports.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { PagedTable } from '../../components/list/list-page.js';
import { EmptyState } from '../../components/list/placeholders.js';
import type { ListColumn } from '../../components/list/table.js';
import { inGroups } from '../../lib/texts.js';
import { useList, type PageAddress } from '../../lib/use-list.js';
import { useMarcCalls, useMarcRows } from './import-calls.js';
import { Candidates, RowOutcome } from './import-frame.js';
import { DONE_NAMES, MARC_OUTCOME_NAMES } from './import-labels.js';

interface ImportRowsProps {
  of: MarcImport;
  outcome: MarcOutcome | undefined;
  address: PageAddress;
}

/** The rows of an import, each with what becomes of it; those that wait are chosen, or settled by a person. */
export function ImportRows({ of, outcome, address }: ImportRowsProps) {
  const { id, state, wins } = of;
  const { choose, settle } = useMarcCalls(id);
  const list = useList(address, useMarcRows(of, outcome, address[0].pageNumber), IMPORT_ROWS_PAGE_SIZE);
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
        <RowOutcome
          name={row.done === null ? MARC_OUTCOME_NAMES[row.outcome] : DONE_NAMES[row.done]}
          reason={row.reason}
          differs={row.done === 'undone' ? [] : row.differs}
          labels={MARC_FIELD_LABELS}
          wins={(field) => wins.some((each) => each === field)}
        >
          {isOpen && row.done === null && row.candidates.length > 0 && (
            <Candidates
              question={m.import_which_book()}
              of={row.candidates.map(({ id: book, title, isbn }) => ({
                id: book,
                text: m.import_is_book({ title, isbn }),
              }))}
              none={m.import_is_new()}
              busy={settle.isPending}
              onSettle={(bookId) => settle.mutate({ params: { id, place: row.place }, body: { bookId } })}
            />
          )}
        </RowOutcome>
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
