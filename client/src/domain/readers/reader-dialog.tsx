import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import {
  deskDetailsSchema,
  type ReaderForm,
  readerFormSchema,
} from '#contracts/accounts/account-requests.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { editReader, endSessions } from '#contracts/accounts/readers.js';
import { READER_KINDS } from '#contracts/rules/kinds.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import {
  AddressFields,
  addressFieldsSchema,
  KindField,
  PersonalFields,
  personalFieldsSchema,
} from './person-fields.js';
import { invalidate, queryKeys } from '../query-keys.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Form, TextField } from '../../components/form/form.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';
import { useUser } from '../../lib/session.js';
import { Notice } from '../../components/dialog/notice.js';

const personSchema = personalFieldsSchema.extend(addressFieldsSchema.shape);
const PERSON = personSchema.keyof().options;
const { phone, guardian } = deskDetailsSchema.shape;
const formSchema = personSchema.extend({ kind: z.enum(READER_KINDS), phone, guardian });

function valuesOf(reader: Reader): ReaderForm & Pick<Reader, 'kind' | 'phone' | 'guardian'> {
  const { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode } = reader;
  const { kind, phone, guardian } = reader;
  const person = { firstname, lastname, dateOfBirth, gender, country, city, adress, postalCode };
  return { ...person, kind, phone: phone ?? '', guardian: guardian ?? '' };
}

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
    onError: () => notify.error(m.readers_not_updated()),
    onSuccess: () => {
      notify.success(m.common_reader_updated());
      // The name stands in borrows as well, and the kind says what may be done with them.
      invalidate(client, queryKeys.readers, queryKeys.borrows, queryKeys.standings);
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

  const fields = [...PERSON, ...(withKind ? (['kind', 'phone', 'guardian'] as const) : [])];
  const submit = (values: z.infer<typeof formSchema>) => {
    // A version that differs in nothing of this form (a role was given meanwhile) is no conflict.
    const { version } = fields.every((field) => reader[field] === base[field]) ? reader : base;
    const { kind, phone, guardian } = values;
    const body = { ...readerFormSchema.parse(values), ...(withKind && { kind, phone, guardian }), version };
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
          {newer && !save.isError && m.readers_newer_shown()}
        </p>
        <div className="grid grid-cols-2 gap-4 to-560:grid-cols-1">
          <PersonalFields />
          <AddressFields />
          {withKind && (
            <>
              <KindField />
              <TextField<z.input<typeof formSchema>>
                name="phone"
                label={m.common_phone()}
                type="tel"
                autoComplete="off"
              />
              <TextField<z.input<typeof formSchema>>
                name="guardian"
                label={m.account_guardian()}
                hint={m.account_guardian_hint()}
                type="text"
                autoComplete="off"
              />
            </>
          )}
        </div>
        <SubmitButtons action={m.common_save()} busy={save.isPending} onCancel={onClose} />
      </Form>
      {children}
      {leaving && (
        <Confirmation
          question={m.readers_close_question()}
          action={m.common_close()}
          refusal={m.readers_keep_editing()}
          onConfirm={onClose}
          onDecline={() => setLeaving(false)}
        >
          {m.readers_unsaved()}
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
          {m.readers_load_newer()}
        </Button>
      )}
    </div>
  );
}

/** For a lost telephone or a library's own computer: the account is signed out wherever it is signed in. Asks first. */
export function EndSessions({ reader }: { reader: Reader }) {
  const client = useQueryClient();
  const own = useUser()?.id === reader.id;
  const end = useCall(endSessions, {
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      // One's own is over too: the next answer says so, also where the message of it does not come.
      if (own) void client.invalidateQueries();
    },
  });
  const [asking, setAsking] = useState(false);
  return (
    <section className="flex flex-col gap-3 pt-4 border-t border-line" aria-labelledby="end-sessions">
      <h3 className="font-serif text-2 font-medium" id="end-sessions">
        {m.readers_sessions()}
      </h3>
      <p className="note">
        {own ? m.readers_end_own_sessions_lead() : m.readers_end_sessions_lead({ name: reader.fullname })}
      </p>
      {end.isError && <Notice>{sentenceOf(end.error)}</Notice>}
      <div>
        <Button busy={end.isPending} onClick={() => setAsking(true)}>
          {m.readers_end_sessions()}
        </Button>
      </div>
      {asking && (
        <Confirmation
          question={
            own
              ? m.readers_end_own_sessions_question()
              : m.readers_end_sessions_question({ name: reader.fullname })
          }
          action={m.security_sign_out()}
          onConfirm={() => {
            setAsking(false);
            end.mutate({ query: { id: reader.id } });
          }}
          onDecline={() => setAsking(false)}
        >
          {m.readers_end_sessions_loss()}
        </Confirmation>
      )}
    </section>
  );
}
