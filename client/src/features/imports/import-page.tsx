import { useParams } from 'react-router-dom';
import {
  MARC_FIELD_LABELS,
  MARC_OUTCOMES,
  MARC_WINNERS,
  type MarcImport,
} from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { oneOf, pageParameter, useAddress, writeAddress, type Parameter } from '../../lib/use-address.js';
import { useMarcCalls, useMarcImport } from './import-calls.js';
import { asking, ImportFrame } from './import-frame.js';
import { MARC_OUTCOME_NAMES, rowsIn } from './import-labels.js';
import { ImportRows } from './import-rows.js';

const PARTS = ['all', ...MARC_OUTCOMES] as const;
type Part = (typeof PARTS)[number];

const partParameter: Parameter<Part> = { ...oneOf('part', PARTS, 'all'), step: true };
const ADDRESS = { part: partParameter, pageNumber: pageParameter } as const;
const NAMES = { all: m.import_outcome_all(), ...MARC_OUTCOME_NAMES };

/** One import of records. */
export function ImportPage() {
  const { id = '' } = useParams();
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  const { forget } = useMarcCalls(id);
  return (
    <ImportFrame
      of={useMarcImport(id)}
      at="/admin/imports"
      title={m.site_area_imports()}
      facts={(of) => [m.import_records_count({ count: rowsIn(of) })]}
      actions={(of) => <Actions of={of} />}
      forget={forget}
      forgetting={({ done }) =>
        done.added + done.changed > 0 ? m.import_forget_done() : m.import_forget_staged()
      }
      parts={PARTS}
      names={NAMES}
      part={part}
      addressOf={(to) => `?${writeAddress(ADDRESS, { part: to, pageNumber: 1 }).toString()}`}
      between={(of) => <Winners of={of} />}
    >
      {/* Another part is another list. */}
      {(of) => (
        <ImportRows key={part} of={of} outcome={part === 'all' ? undefined : part} address={address} />
      )}
    </ImportFrame>
  );
}

function Actions({ of: { id, state, isLeft, chosen, done } }: { of: MarcImport }) {
  const { run, undo } = useMarcCalls(id);
  const params = { id };
  const isDone = done.added + done.changed > 0;
  return (
    <>
      {(state === 'staged' || state === 'done' || (isLeft && state === 'running')) && chosen > 0 && (
        <Button look="primary" busy={run.isPending} onClick={() => run.mutate({ params })}>
          {m.import_run({ count: chosen })}
        </Button>
      )}
      {(state === 'done' || (isLeft && state === 'undoing')) && isDone && (
        <Button
          busy={undo.isPending}
          onClick={asking(
            {
              ...{ question: m.import_undo_question(), action: m.import_undo() },
              detail: m.import_undo_about({ added: done.added, changed: done.changed }),
            },
            () => undo.mutate({ params }),
          )}
        >
          {m.import_undo()}
        </Button>
      )}
    </>
  );
}

/** In which fields the file wins. */
function Winners({ of: { id, state, wins, outcomes } }: { of: MarcImport }) {
  const { wins: choose } = useMarcCalls(id);
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
