import { useId, useState } from 'react';
import { useNavigate, Link } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import {
  FILE_ENCODINGS,
  READER_IMPORT_KINDS,
  READERS_FILE_FIELD,
  stageReaders,
  type ReaderFile,
  type ReaderImport,
} from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { Day } from '../../../components/display/day.js';
import { ButtonLink } from '../../../components/form/button.js';
import { SelectField } from '../../../components/form/choice.js';
import { FileButton } from '../../../components/form/file-button.js';
import { TypedField } from '../../../components/form/field.js';
import { ListHead } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { invalidate, queryKeys } from '../../../domain/query-keys.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { useCall } from '../../../lib/api/send.js';
import { inGroups } from '../../../lib/texts.js';
import { ImportList } from '../import-list.js';
import { KIND_NAMES, rowsIn, stateText, useReaderImports } from './reader-import-calls.js';

const TITLE = m.readers_import_title();

const COLUMNS: readonly ListColumn<ReaderImport>[] = [
  {
    title: m.import_file(),
    look: 'name',
    heads: true,
    cell: ({ id, name }) => <Link to={`/admin/users/imports/${id}`}>{name}</Link>,
  },
  { title: m.readers_import_what(), cell: ({ kind }) => KIND_NAMES[kind] },
  { title: m.readers_import_rows(), look: 'number', cell: (each) => inGroups(rowsIn(each)) },
  { title: m.import_state(), look: 'text', cell: stateText },
  { title: m.common_when(), cell: ({ startedAt }) => <Day time={startedAt} /> },
  { title: m.common_by(), cell: ({ startedBy }) => startedBy ?? '–' },
];

/** Readers of another system come along. */
export function ReaderImportsPage() {
  usePageTitle(TITLE);
  const imports = useReaderImports();
  return (
    <>
      <ListHead title={TITLE}>
        <ButtonLink to="/admin/users">{m.common_readers()}</ButtonLink>
      </ListHead>
      <UploadCard />
      <ImportList of={imports} columns={COLUMNS} />
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

/** A file is read as soon as it is chosen; what it would do is shown before anything is done. */
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
      <FileButton
        label={m.import_choose_file()}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        className="self-start"
        busy={stage.isPending}
        onFile={(file) => {
          const body = new FormData();
          body.set(READERS_FILE_FIELD, file);
          stage.mutate({ query, body });
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
