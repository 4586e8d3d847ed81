import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import type { Answered } from '#contracts/call.js';
import { deskRegistrationFormSchema, registerAtDesk } from '#contracts/accounts/readers.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Dialog, DialogButtons, SubmitButtons } from '../../components/dialog/dialog.js';
import { Notice } from '../../components/dialog/notice.js';
import { Form, TextField } from '../../components/form/form.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { CardFace } from '../../domain/readers/card/card-face.js';
import { PrintCard } from '../../domain/readers/card/print-card.js';
import { AddressFields, KindField, PersonalFields } from '../../domain/readers/person-fields.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';

type Values = z.input<typeof deskRegistrationFormSchema>;
type Registered = Answered<typeof registerAtDesk>;

const EMPTY = {
  ...{ firstname: '', lastname: '', dateOfBirth: '', gender: '' as Values['gender'], kind: 'adult' },
  ...{ email: '', username: '', phone: '', guardian: '', memberUntil: '', cardNumber: '' },
  ...{ country: 'Poland', adress: '', city: '', postalCode: '' },
} satisfies Values;
const FIELDS = Object.keys(EMPTY) as (keyof typeof EMPTY)[];
/** Refusals that are about one field. */
const FIELD_OF: Partial<Record<string, 'username' | 'email'>> = {
  UsernameTaken: 'username',
  EmailTaken: 'email',
};

interface RegisterReaderProps {
  /** Somebody new stands at the desk. */
  onRegistered: (registered: Registered) => void;
  onClose: () => void;
}

/** Makes a reader of whoever stands at the desk, and prints their card. */
export function RegisterReader({ onRegistered, onClose }: RegisterReaderProps) {
  const [registered, setRegistered] = useState<Registered>();
  if (registered) return <NewCard registered={registered} onClose={onClose} />;
  return (
    <Registration
      onClose={onClose}
      onRegistered={(answer) => {
        setRegistered(answer);
        onRegistered(answer);
      }}
    />
  );
}

function Registration({ onRegistered, onClose }: RegisterReaderProps) {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);
  const form = useForm<Values, unknown, z.output<typeof deskRegistrationFormSchema>>({
    resolver: zodResolver(deskRegistrationFormSchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  });
  const register = useCall(registerAtDesk, {
    meta: { inPlace: true },
    onSuccess: (answer) => {
      invalidate(client, queryKeys.readers, queryKeys.stats);
      onRegistered(answer);
    },
    onError: (error) => {
      if (showFieldErrors(form, error, FIELDS) || !(error instanceof RequestError)) return;
      const field = FIELD_OF[error.problem?.code ?? ''];
      if (field) form.setError(field, { type: 'server', message: sentenceOf(error) }, { shouldFocus: true });
    },
  });
  const { isDirty, errors } = form.formState;
  const isChild = useWatch({ control: form.control, name: 'kind' }) === 'child';
  const code = register.error instanceof RequestError ? register.error.problem?.code : undefined;
  const isAlike = code === 'ReaderExists';
  const submit = (values: z.output<typeof deskRegistrationFormSchema>, evenIfAlike: boolean) =>
    register.mutate({ body: { ...values, evenIfAlike } });
  const close = () => {
    if (register.isPending) return;
    if (isDirty) setLeaving(true);
    else onClose();
  };
  return (
    <Dialog title={m.desk_new_reader()} lead={m.desk_new_reader_lead()} wide keep onClose={close}>
      <Form form={form} busy={register.isPending} onSubmit={(values) => submit(values, false)}>
        <div className="grid grid-cols-2 gap-4 to-560:grid-cols-1">
          <PersonalFields />
          <TextField<Values> name="email" label={m.common_email()} type="email" autoComplete="off" />
          <TextField<Values>
            name="phone"
            label={m.common_phone()}
            hint={m.desk_may_be_empty()}
            type="tel"
            autoComplete="off"
          />
          <AddressFields />
          <KindField />
          {isChild && (
            <TextField<Values> name="guardian" label={m.desk_guardian()} type="text" autoComplete="off" />
          )}
          <TextField<Values>
            name="memberUntil"
            label={m.desk_member_until()}
            hint={m.desk_member_until_hint()}
            type="date"
          />
          <TextField<Values>
            name="username"
            label={m.common_username()}
            hint={m.desk_username_hint()}
            type="text"
            autoComplete="off"
          />
          <TextField<Values>
            name="cardNumber"
            label={m.desk_card_number()}
            hint={m.desk_card_number_hint()}
            type="text"
            autoComplete="off"
            data-takes-scans
            onKeyDown={(event) => {
              // A scanner ends with Enter: the rest of the form is still to be looked over.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        </div>
        {register.isError && !Object.values(errors).some((error) => error.type === 'server') && (
          <Notice>
            {sentenceOf(register.error)}
            {isAlike && ` ${m.desk_if_somebody_else()}`}
          </Notice>
        )}
        <SubmitButtons action={m.desk_register()} busy={register.isPending} onCancel={close}>
          {isAlike && (
            <Button onClick={() => void form.handleSubmit((values) => submit(values, true))()}>
              {m.desk_register_anyway()}
            </Button>
          )}
        </SubmitButtons>
      </Form>
      {leaving && (
        <Confirmation
          question={m.desk_close_unregistered()}
          action={m.common_close()}
          refusal={m.desk_keep_editing()}
          onConfirm={onClose}
          onDecline={() => setLeaving(false)}
        >
          {m.desk_typed_is_lost()}
        </Confirmation>
      )}
    </Dialog>
  );
}

/** What now is: the reader has a card, stands at the desk, and has a letter on its way. */
function NewCard({ registered: { reader, card }, onClose }: { registered: Registered; onClose: () => void }) {
  return (
    <Dialog
      title={m.desk_is_registered({ reader: reader.fullname })}
      lead={m.desk_registered_lead({ username: reader.userName, email: reader.email })}
      onClose={onClose}
    >
      <CardFace card={card} name={reader.fullname} />
      <DialogButtons>
        <PrintCard card={card} name={reader.fullname} />
        <Button look="primary" onClick={onClose}>
          {m.desk_lend_books()}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
