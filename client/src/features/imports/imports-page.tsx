import { Link, useNavigate } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import { isAtWork, MARC_FILE_FIELD, stageMarc, type MarcImport } from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { Day } from '../../components/display/day.js';
import { Meter } from '../../components/display/meter.js';
import { ButtonLink } from '../../components/form/button.js';
import { FileButton } from '../../components/form/file-button.js';
import { ListHead } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { inGroups } from '../../lib/texts.js';
import { ImportList } from './import-list.js';
import { useImports } from './import-calls.js';
import { recordsOf, stateText } from './import-labels.js';
import { ExportCard } from './export-card.js';

const TITLE = m.site_area_imports();

const COLUMNS: readonly ListColumn<MarcImport>[] = [
  {
    title: m.import_file(),
    look: 'name',
    heads: true,
    cell: ({ id, name }) => <Link to={`/admin/imports/${id}`}>{name}</Link>,
  },
  { title: m.import_records(), look: 'number', cell: (each) => inGroups(recordsOf(each)) },
  {
    title: m.import_state(),
    look: 'text',
    cell: (each) => (
      <>
        {stateText(each)}
        {isAtWork(each.state) && each.total > 0 && (
          <Meter className="mt-1" value={each.handled} max={each.total} label={m.import_progress()} />
        )}
      </>
    ),
  },
  { title: m.common_when(), cell: ({ startedAt }) => <Day time={startedAt} /> },
  { title: m.common_by(), cell: ({ startedBy }) => startedBy ?? '–' },
];

/** Records from elsewhere come in, and the catalogue goes out. */
export function ImportsPage() {
  usePageTitle(TITLE);
  const imports = useImports();
  return (
    <>
      <ListHead title={TITLE}>
        <ButtonLink to="/admin/imports/sources">{m.sources_title()}</ButtonLink>
      </ListHead>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] items-start gap-6 max-w-240 mb-8">
        <ImportCard />
        <ExportCard />
      </div>
      <ImportList of={imports} columns={COLUMNS}>
        {m.import_none_lead()}
      </ImportList>
    </>
  );
}

/** A file is read as soon as it is chosen; what it would do is shown before anything is done. */
function ImportCard() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const stage = useCall(stageMarc, {
    meta: { inPlace: true },
    onSuccess: (made) => {
      invalidate(client, queryKeys.marcImports);
      void navigate(`/admin/imports/${made.id}`);
    },
  });
  return (
    <article className="flex flex-col items-start gap-4 p-6 border border-line double-rule bg-surface">
      <h3 className="text-3">{m.import_title()}</h3>
      <p>{m.import_lead()}</p>
      <FileButton
        label={m.import_choose_file()}
        accept=".mrc,.marc,.xml,.marcxml,application/marc,application/xml,text/xml"
        busy={stage.isPending}
        onFile={(file) => {
          const body = new FormData();
          body.set(MARC_FILE_FIELD, file);
          stage.mutate({ body });
        }}
      >
        {m.import_choose_file()}
      </FileButton>
      <p className="text-ink-soft text-1 empty:hidden" role="status">
        {stage.isPending && m.import_reading_file()}
      </p>
      {stage.isError && (
        <p className="w-full p-3 rounded bg-danger-wash text-danger" role="alert">
          {firstWordsOf(stage.error)}
        </p>
      )}
    </article>
  );
}
