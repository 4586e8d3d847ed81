import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import {
  isAtWork,
  MARC_FIELD_LABELS,
  MARC_OUTCOMES,
  MARC_WINNERS,
  type MarcImport,
} from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Meter } from '../../components/display/meter.js';
import { PartLinks } from '../../components/display/part-links.js';
import pagePart from '../../components/display/page-part.module.css';
import { Button } from '../../components/form/button.js';
import listPage from '../../components/list/list-page.module.css';
import { ErrorState, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { oneOf, pageParameter, useAddress, writeAddress, type Parameter } from '../../lib/use-address.js';
import { inGroups } from '../../lib/texts.js';
import { useImport, useImportCalls } from './import-calls.js';
import { OUTCOME_NAMES, recordsOf, stateText } from './import-labels.js';
import { ImportRows } from './import-rows.js';

const PARTS = ['all', ...MARC_OUTCOMES] as const;
type Part = (typeof PARTS)[number];

const partParameter: Parameter<Part> = { ...oneOf('part', PARTS, 'all'), step: true };
const ADDRESS = { part: partParameter, pageNumber: pageParameter } as const;

/** One import: what it would do, row by row; then what it did. */
export function ImportPage() {
  const { id = '' } = useParams();
  const read = useImport(id);
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  usePageTitle(read.data?.name ?? m.site_area_imports());
  if (read.isError && !read.data) return <ErrorState of={read} />;
  if (!read.data) return <SkeletonLines label={m.import_loading()} widths={[40, 90, 70]} />;
  return (
    <>
      <Head of={read.data} />
      <Winners of={read.data} />
      <Parts of={read.data} part={part} />
      {/* Another part is another list. */}
      <ImportRows key={part} of={read.data} outcome={part === 'all' ? undefined : part} address={address} />
    </>
  );
}

function Head({ of }: { of: MarcImport }) {
  const { id, name, state, startedAt, startedBy, handled, total, chosen, done } = of;
  const { run, undo, forget } = useImportCalls(id);
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'undo' | 'forget' | null>(null);
  const params = { id };
  const isOpen = state === 'staged' || state === 'done';
  const onSettled = () => setAsking(null);
  const onSuccess = () => void navigate('/admin/imports');
  const asks = {
    undo: {
      ...{ question: m.import_undo_question(), action: m.import_undo() },
      about: m.import_undo_about({ added: done.added, changed: done.changed }),
      confirm: () => undo.mutate({ params }, { onSettled }),
    },
    forget: {
      ...{ question: m.import_forget_question(), action: m.import_forget() },
      about: done.added + done.changed > 0 ? m.import_forget_done() : m.import_forget_staged(),
      confirm: () => forget.mutate({ params }, { onSuccess, onSettled }),
    },
  };
  return (
    <header className="mb-6">
      <p className="text-1">
        <Link to="/admin/imports">{m.import_all_link()}</Link>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mt-1 [&_h2]:min-w-0 [&_h2]:wrap-anywhere">
        <h2 className={listPage.title}>{name}</h2>
        <div className="flex flex-wrap gap-2 ml-auto phone:w-full phone:ml-0 phone:[&>*]:flex-1">
          {isOpen && chosen > 0 && (
            <Button look="primary" busy={run.isPending} onClick={() => run.mutate({ params })}>
              {m.import_run({ count: chosen })}
            </Button>
          )}
          {state === 'done' && done.added + done.changed > 0 && (
            <Button busy={undo.isPending} onClick={() => setAsking('undo')}>
              {m.import_undo()}
            </Button>
          )}
          {!isAtWork(state) && (
            <Button look="plain" busy={forget.isPending} onClick={() => setAsking('forget')}>
              {m.import_forget()}
            </Button>
          )}
        </div>
      </div>
      <p className={pagePart.about}>
        <span>{m.import_records_count({ count: recordsOf(of) })}</span>
        <span>
          {startedBy === null
            ? m.import_begun({ day: isoDay(startedAt) })
            : m.import_begun_by({ day: isoDay(startedAt), by: startedBy })}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 mt-3" data-import-state={state}>
        {isAtWork(state) && total > 0 && (
          <Meter className="flex-[1_1_14rem]" value={handled} max={total} label={m.import_progress()} />
        )}
        <p role="status">{stateText(of)}</p>
      </div>
      {asking !== null && (
        <Confirmation
          question={asks[asking].question}
          action={asks[asking].action}
          busy={undo.isPending || forget.isPending}
          onConfirm={asks[asking].confirm}
          onDecline={() => setAsking(null)}
        >
          {asks[asking].about}
        </Confirmation>
      )}
    </header>
  );
}

/** In which fields the file wins. */
function Winners({ of: { id, state, wins, outcomes } }: { of: MarcImport }) {
  const { wins: choose } = useImportCalls(id);
  if (outcomes.changed + outcomes.unsure === 0 || (state !== 'staged' && state !== 'done')) return null;
  return (
    <fieldset className="mb-6 p-4 border border-line rounded" data-wins>
      <legend className="px-1 font-strong">{m.import_wins()}</legend>
      <p className="note mb-2">{m.import_wins_about()}</p>
      <div className="flex flex-wrap gap-x-5">
        {MARC_WINNERS.map((field) => (
          <label key={field} className="inline-flex items-center gap-2 min-h-9 phone:min-h-11 cursor-pointer">
            <input
              type="checkbox"
              value={field}
              checked={wins.includes(field)}
              disabled={choose.isPending}
              onChange={({ target }) =>
                choose.mutate({
                  params: { id },
                  body: { wins: target.checked ? [...wins, field] : wins.filter((each) => each !== field) },
                })
              }
            />
            {MARC_FIELD_LABELS[field]()}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Parts({ of, part }: { of: MarcImport; part: Part }) {
  const addressOf = (to: Part) => `?${writeAddress(ADDRESS, { part: to, pageNumber: 1 }).toString()}`;
  const countOf = (each: Part) => (each === 'all' ? recordsOf(of) : of.outcomes[each]);
  return (
    <PartLinks label={m.import_parts()} parts={PARTS} current={part} addressOf={addressOf} className="mb-4">
      {(each) => (
        <>
          {each === 'all' ? m.import_outcome_all() : OUTCOME_NAMES[each]}
          <span
            className="min-w-6 px-1 rounded bg-mark text-ink tabular-nums text-center data-quiet:bg-sunk data-quiet:text-ink-soft"
            data-quiet={countOf(each) === 0 || each !== 'unsure' || undefined}
          >
            {inGroups(countOf(each))}
          </span>
        </>
      )}
    </PartLinks>
  );
}
