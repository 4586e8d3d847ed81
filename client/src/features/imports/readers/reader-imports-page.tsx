import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import {
  FILE_ENCODINGS,
  READER_IMPORT_KINDS,
  stageReaders,
  type ReaderFile,
  type ReaderImport,
} from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { BackLink } from '../../../components/form/button.js';
import { SelectField } from '../../../components/form/choice.js';
import { TypedField } from '../../../components/form/field.js';
import { ListHead } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { invalidate, queryKeys } from '../../../domain/query-keys.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { useCall } from '../../../lib/api/send.js';
import { inGroups } from '../../../lib/texts.js';
import { useReaderImports } from '../import-calls.js';
import { KIND_NAMES, rowsIn } from '../import-labels.js';
import { ImportList, ImportUpload } from '../import-list.js';

const TITLE = m.readers_import_title();

const COLUMNS: readonly ListColumn<ReaderImport>[] = [
  { title: m.readers_import_what(), cell: ({ kind }) => KIND_NAMES[kind] },
  { title: m.readers_import_rows(), look: 'number', cell: (each) => inGroups(rowsIn(each)) },
];

/** Readers of another system come along. */
export function ReaderImportsPage() {
  usePageTitle(TITLE);
  const imports = useReaderImports();
  return (
    <>
      <BackLink to="/admin/users">{m.common_users()}</BackLink>
      <ListHead title={TITLE} />
      <UploadCard />
      <ImportList of={imports} at="/admin/users/imports" columns={COLUMNS} />
    </>
  );
}

const KINDS = READER_IMPORT_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }));
const ENCODINGS = FILE_ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }));
const LEADS: Record<ReaderFile['kind'], string> = {
  readers: m.readers_import_lead(),
  memberships: m.readers_import_memberships_lead(),
  loans: m.readers_import_loans_lead(),
};

function UploadCard() {
  const days = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [kind, setKind] = useState<ReaderFile['kind']>('readers');
  const [encoding, setEncoding] = useState<ReaderFile['encoding']>('utf-8');
  const [kinds, setKinds] = useState('');
  const [earlierDays, setEarlierDays] = useState(false);
  const stage = useCall(stageReaders, {
    meta: { inPlace: true },
    onSuccess: (made) => {
      invalidate(client, queryKeys.readerImports);
      void navigate(`/admin/users/imports/${made.id}`);
    },
  });
  const query = { kind, encoding, kinds: kind === 'readers' ? kinds : '', earlierDays: String(earlierDays) };
  return (
    <article className="flex flex-col items-stretch gap-4 max-w-160 mb-8 p-6 border border-line double-rule bg-surface">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4">
        <SelectField label={m.readers_import_what()} value={kind} options={KINDS} onChoose={setKind} />
        <SelectField
          label={m.readers_import_encoding()}
          value={encoding}
          options={ENCODINGS}
          onChoose={setEncoding}
        />
      </div>
      <p>{LEADS[kind]}</p>
      {kind === 'readers' && (
        <TypedField
          label={m.readers_import_kinds()}
          hint={m.readers_import_kinds_hint()}
          value={kinds}
          onValue={setKinds}
        />
      )}
      {kind === 'loans' && (
        <label htmlFor={days} className="inline-flex items-center gap-2 min-h-9 cursor-pointer">
          <input
            id={days}
            type="checkbox"
            checked={earlierDays}
            onChange={({ target }) => setEarlierDays(target.checked)}
          />
          {m.readers_import_earlier_days()}
        </label>
      )}
      <ImportUpload
        stage={stage}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        sent={(body) => ({ query, body })}
      />
    </article>
  );
}
