import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { readerFormSchema, type ReaderForm } from '#contracts/accounts/account-requests.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { editReader } from '#contracts/accounts/readers.js';
import { READER_KINDS } from '#contracts/rules/kinds.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { addressFieldsSchema, personalFieldsSchema } from './person-form.js';
import { queryKeys } from '../query-keys.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Form } from '../../components/form/form.js';
import { AddressFields, KindField, PersonalFields } from './person-fields.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';

const personSchema = personalFieldsSchema.extend(addressFieldsSchema.shape);
const PERSON = personSchema.keyof().options;
const formSchema = personSchema.extend({ kind: z.enum(READER_KINDS) });

function valuesOf(reader: Reader): ReaderForm & Pick<Reader, 'kind'> {
  const { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode, kind } = reader;
  return { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode, kind };
}
const NEWER_SHOWN =
  'The newer version is shown, with what you have changed kept. Please look it over and save again.';

interface ReaderDialogProps {
  title: string;
  reader: Reader;
  /** Asks for the reader as they are now. */
  load: () => Promise<Reader>;
  onClose: () => void;
  /** What kind of reader they are can be chosen, too: by admins. */
  withKind?: boolean;
  /** More to edit under the form, and whether something there is unsaved. */
  children?: ReactNode;
  unsavedBelow?: boolean;
}

/** The eight fields of a reader, all required (specification, section 5), and their kind. Cancel closes with nothing. */
export function ReaderDialog({
  title,
  reader,
  load,
  onClose,
  withKind = false,
  children,
  unsavedBelow = false,
}: ReaderDialogProps) {
  const client = useQueryClient();
  const [base, setBase] = useState(reader);
  const [newer, setNewer] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const save = useCall(editReader, {
    meta: { inPlace: true },
    onError: () => notify.error('Failed to update reader'),
    onSuccess: () => {
      notify.success('Reader successfully updated');
      // The name stands in borrows as well, and the kind says what may be done with them.
      for (const queryKey of [queryKeys.readers, queryKeys.borrows, queryKeys.standings])
        void client.invalidateQueries({ queryKey });
    },
  });
  const form = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onTouched',
    defaultValues: valuesOf(reader),
  });
  // Read here, so that the form keeps track of it: what has been typed outlives the loading of a newer version.
  const { dirtyFields } = form.formState;
  const unsaved = (Object.keys(dirtyFields).length > 0 || unsavedBelow) && !save.isSuccess;

  const fields = [...PERSON, ...(withKind ? (['kind'] as const) : [])];
  const submit = (values: z.infer<typeof formSchema>) => {
    // A version that differs in nothing of this form (a role was given meanwhile) is no conflict.
    const { version } = fields.every((field) => reader[field] === base[field]) ? reader : base;
    const { kind } = values;
    const body = { ...readerFormSchema.parse(values), ...(withKind && { kind }), version };
    save.mutate(
      { query: { id: reader.id }, body },
      { onSuccess: onClose, onError: (error) => void showFieldErrors(form, error, fields) },
    );
  };
  const close = () => {
    if (save.isPending) return;
    if (unsaved) setLeaving(true);
    else onClose();
  };
  const takeNewer = (latest: Reader) => {
    setBase(latest);
    setNewer(true);
    form.reset(valuesOf(latest), { keepDirtyValues: true });
    save.reset();
  };

  return (
    <Dialog title={title} wide onClose={close}>
      <UnsavedChanges unsaved={unsaved} />
      <Form form={form} busy={save.isPending} onSubmit={submit}>
        <Refusal error={save.error} load={load} onLoaded={takeNewer} />
        <p className="p-3 rounded bg-accent-wash empty:hidden" role="status">
          {newer && !save.isError && NEWER_SHOWN}
        </p>
        <div className="grid grid-cols-2 gap-4 to-560:grid-cols-1">
          <PersonalFields />
          <AddressFields />
          {withKind && <KindField />}
        </div>
        <SubmitButtons action="Save" busy={save.isPending} onCancel={onClose} />
      </Form>
      {children}
      {leaving && (
        <Confirmation
          question="Close without saving?"
          action="Close"
          refusal="Keep editing"
          onConfirm={onClose}
          onDecline={() => setLeaving(false)}
        >
          What you have changed here is not saved yet.
        </Confirmation>
      )}
    </Dialog>
  );
}

interface RefusalProps {
  error: Error | null;
  load: () => Promise<Reader>;
  onLoaded: (reader: Reader) => void;
}

/** Why the reader was not saved; where somebody else was faster, with a way to go on from the newer version. */
function Refusal({ error, load, onLoaded }: RefusalProps) {
  const newer = useMutation({ mutationFn: load, meta: { inPlace: true }, onSuccess: onLoaded });
  if (!error) return null;
  const outrun = error instanceof RequestError && error.problem?.code === 'EditedMeanwhile';
  return (
    <div
      className="flex flex-wrap items-center gap-3 p-3 rounded bg-danger-wash text-danger [&_p]:flex-[1_1_16rem]"
      role="alert"
    >
      <p>{sentenceOf(newer.error ?? error)}</p>
      {outrun && (
        <Button size="small" busy={newer.isPending} onClick={() => newer.mutate()}>
          Load the newer version
        </Button>
      )}
    </div>
  );
}
