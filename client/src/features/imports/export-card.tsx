import { useMutation, useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { EXPORT_FILES, exportCatalogue, type ExportFormat } from '#contracts/catalogue/book-export.js';
import { listLibraryLists } from '#contracts/lists/library-lists.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { SelectField } from '../../components/form/choice.js';
import { DateInput } from '../../components/form/date-input.js';
import { Field, TypedField } from '../../components/form/field.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { queryOf, sendForFile } from '../../lib/api/send.js';
import { saveFile } from '../../lib/save-file.js';

const FORMATS: readonly { value: ExportFormat; label: string }[] = [
  { value: 'iso2709', label: m.export_iso2709() },
  { value: 'marcxml', label: m.export_marcxml() },
  { value: 'csv', label: m.export_csv() },
];

/** The catalogue as a file: all of it, or what is said. */
export function ExportCard() {
  const [format, setFormat] = useState<ExportFormat>('iso2709');
  const [list, setList] = useState('');
  const [term, setTerm] = useState('');
  const [since, setSince] = useState('');
  const lists = useQuery({ ...queryOf(listLibraryLists), meta: { inPlace: true } });
  const save = useMutation({
    mutationFn: async () => {
      const query = {
        format,
        SearchTerm: list === '' ? term : '',
        ...(list !== '' && { list }),
        ...(since !== '' && { since }),
      };
      saveFile(await sendForFile(exportCatalogue, { query }), EXPORT_FILES[format].name);
    },
    meta: { inPlace: true, showsProgress: true },
  });
  return (
    <article className="p-6 border border-line double-rule bg-surface">
      <form
        className="flex flex-col items-stretch gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        <h3 className="text-3">{m.export_title()}</h3>
        <p>{m.export_lead()}</p>
        <SelectField label={m.export_format()} value={format} options={FORMATS} onChoose={setFormat} />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4">
          <SelectField
            label={m.export_list()}
            value={list}
            options={[
              { value: '', label: m.export_no_list() },
              ...(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChoose={setList}
          />
          <TypedField
            label={m.export_search()}
            value={list === '' ? term : ''}
            disabled={list !== ''}
            onValue={setTerm}
          />
          <Field label={m.export_since()}>
            {(control) => (
              <DateInput {...control} value={since} onChange={({ target }) => setSince(target.value)} />
            )}
          </Field>
        </div>
        {format === 'iso2709' && <p className="note">{m.export_iso2709_hint()}</p>}
        <div>
          <Button icon={Download} type="submit" busy={save.isPending}>
            {m.export_save()}
          </Button>
        </div>
        {save.isError && (
          <p className="p-3 rounded bg-danger-wash text-danger" role="alert">
            {firstWordsOf(save.error)}
          </p>
        )}
      </form>
    </article>
  );
}
