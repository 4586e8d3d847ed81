import { useNavigate } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import { stageMarc, type MarcImport } from '#contracts/catalogue/marc-import.js';
import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { ListHead } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useCall } from '../../lib/api/send.js';
import { inGroups } from '../../lib/texts.js';
import { useMarcImports } from './import-calls.js';
import { rowsIn } from './import-labels.js';
import { ImportList, ImportUpload } from './import-list.js';
import { ExportCard } from './export-card.js';

const TITLE = m.site_area_imports();

const COLUMNS: readonly ListColumn<MarcImport>[] = [
  { title: m.import_records(), look: 'number', cell: (each) => inGroups(rowsIn(each)) },
];

/** Records from elsewhere come in, and the catalogue goes out. */
export function ImportsPage() {
  usePageTitle(TITLE);
  const imports = useMarcImports();
  return (
    <>
      <ListHead title={TITLE}>
        <ButtonLink to="/admin/imports/sources">{m.sources_title()}</ButtonLink>
      </ListHead>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] items-start gap-6 max-w-240 mb-8">
        <ImportCard />
        <ExportCard />
      </div>
      <ImportList of={imports} at="/admin/imports" columns={COLUMNS}>
        {m.import_none_lead()}
      </ImportList>
    </>
  );
}

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
      <ImportUpload
        stage={stage}
        accept=".mrc,.marc,.xml,.marcxml,application/marc,application/xml,text/xml"
        sent={(body) => ({ body })}
      />
    </article>
  );
}
