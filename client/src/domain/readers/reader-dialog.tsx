import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { readerFormSchema, type ReaderForm } from '#contracts/accounts/account-requests.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { addressFieldsSchema, personalFieldsSchema } from './person-form.js';
import { useSaveReader } from './save-reader.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { Dialog, SubmitButtons } from '../../components/dialog.js';
import { Form } from '../../components/form.js';
import { AddressFields, PersonalFields } from './person-fields.js';
import styles from './reader-dialog.module.css';
import { UnsavedChanges } from '../../components/unsaved-changes.js';

const formSchema = personalFieldsSchema.extend(addressFieldsSchema.shape);
const FIELDS = formSchema.keyof().options;

function valuesOf(reader: Reader): ReaderForm {
  const { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode } = reader;
  return { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode };
}
const NEWER_SHOWN =
  'The newer version is shown, with what you have changed kept. Please look it over and save again.';

const sameValues = (one: Reader, other: Reader) => FIELDS.every((field) => one[field] === other[field]);

interface ReaderDialogProps {
  title: string;
  reader: Reader;
  /** Asks for the reader as he is now. */
  load: () => Promise<Reader>;
  onClose: () => void;
  /** More to edit under the form, and whether something there is unsaved. */
  children?: ReactNode;
  unsavedBelow?: boolean;
}

/** The eight fields of a reader, all required (specification, section 5). Cancel closes with nothing. */
export function ReaderDialog({
  title,
  reader,
  load,
  onClose,
  children,
  unsavedBelow = false,
}: ReaderDialogProps) {
  const [base, setBase] = useState(reader);
  const [newer, setNewer] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const save = useSaveReader(reader.id);
  const form = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onTouched',
    defaultValues: valuesOf(reader),
  });
  // Read here, so that the form keeps track of it: what has been typed outlives the loading of a newer version.
  const { dirtyFields } = form.formState;
  const unsaved = (Object.keys(dirtyFields).length > 0 || unsavedBelow) && !save.isSuccess;

  const submit = (values: z.infer<typeof formSchema>) => {
    // A version that differs in nothing of this form (a role was given meanwhile) is no conflict.
    const { version } = sameValues(reader, base) ? reader : base;
    save.mutate(
      { ...readerFormSchema.parse(values), version },
      { onSuccess: onClose, onError: (error) => void showFieldErrors(form, error, FIELDS) },
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
        <p className={styles.loaded} role="status">
          {newer && !save.isError && NEWER_SHOWN}
        </p>
        <div className={styles.fields}>
          <PersonalFields />
          <AddressFields />
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
    <div className={styles.refused} role="alert">
      <p>{sentenceOf(newer.error ?? error)}</p>
      {outrun && (
        <Button size="small" busy={newer.isPending} onClick={() => newer.mutate()}>
          Load the newer version
        </Button>
      )}
    </div>
  );
}
