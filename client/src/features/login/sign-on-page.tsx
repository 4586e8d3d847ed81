import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { z } from 'zod';
import {
  completeSignOn,
  personSchema,
  registerBySignOn,
  type SignOnAnswer,
  type SignOnPerson,
} from '#contracts/accounts/sign-on.js';
import * as m from '#words/messages.js';
import { Notice } from '../../components/dialog/notice.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { Form, TextField } from '../../components/form/form.js';
import { SkeletonLines } from '../../components/list/placeholders.js';
import { AddressFields, PersonalFields } from '../../domain/readers/person-fields.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { useEntering } from './entering.js';
import { SecondStep } from './second-step.js';

const meta = { inPlace: true };

/** Where the browser is when it comes back from a provider. */
export function SignOnPage() {
  usePageTitle(m.common_sign_in());
  const { key = '' } = useParams();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const enter = useEntering();
  const [answer, setAnswer] = useState<SignOnAnswer>();
  const complete = useCall(completeSignOn, { meta });
  const isBegun = useRef(false);
  const goOn = (next: SignOnAnswer) => ('token' in next ? enter(next, next.wanted) : setAnswer(next));

  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    const returned = completeSignOn.body.safeParse(Object.fromEntries(new URLSearchParams(search)));
    // What was sent back counts once: it stays in no history, and a page that is loaded again begins anew.
    void navigate(returned.success ? pathname : '/login', { replace: true });
    if (returned.success) complete.mutate({ params: { key }, body: returned.data }, { onSuccess: goOn });
  });

  if (answer && 'confirmed' in answer) {
    return <FormCard title={m.sign_on_confirmed()} lead={m.sign_on_confirmed_lead()} />;
  }
  if (answer && 'person' in answer) {
    return <NewReader signOn={key} {...answer.person} onAnswer={goOn} />;
  }
  if (answer && 'secondFactor' in answer) {
    return (
      <SecondStep
        needed={answer.secondFactor}
        onUser={(user) => enter(user, answer.wanted)}
        onStartOver={() => void navigate('/login', { replace: true, state: answer.wanted })}
      />
    );
  }
  return (
    <FormCard title={m.common_sign_in()}>
      {complete.isError ? (
        <>
          <Notice>{sentenceOf(complete.error)}</Notice>
          <ButtonLink to="/login" look="primary" replace>
            {m.sign_on_again()}
          </ButtonLink>
        </>
      ) : (
        <SkeletonLines label={m.sign_on_under_way()} widths={[60, 40]} />
      )}
    </FormCard>
  );
}

interface NewReaderProps {
  signOn: string;
  ticket: string;
  known: { [Field in keyof SignOnPerson]?: SignOnPerson[Field] | undefined };
  onAnswer: (answer: SignOnAnswer) => void;
}

const EMPTY = {
  ...{ firstname: '', lastname: '', dateOfBirth: '', gender: '' as SignOnPerson['gender'], email: '' },
  ...{ country: '', adress: '', city: '', postalCode: '' },
};
const FIELDS = Object.keys(EMPTY) as (keyof SignOnPerson)[];

/** Asks somebody who has no account yet for what the provider did not tell. */
function NewReader({ signOn, ticket, known, onAnswer }: NewReaderProps) {
  const form = useForm<z.input<typeof personSchema>, unknown, SignOnPerson>({
    resolver: zodResolver(personSchema),
    mode: 'onTouched',
    defaultValues: Object.assign({ ...EMPTY }, known),
  });
  const register = useCall(registerBySignOn, {
    meta,
    onSuccess: onAnswer,
    onError: (error) => {
      if (showFieldErrors(form, error, FIELDS) || !(error instanceof RequestError)) return;
      if (error.problem?.code !== 'EmailTaken') return;
      form.setError('email', { type: 'server', message: sentenceOf(error) }, { shouldFocus: true });
    },
  });
  const isSaid = Object.values(form.formState.errors).some((error) => error.type === 'server');
  return (
    <FormCard title={m.sign_on_new_reader()} lead={m.sign_on_new_reader_lead()}>
      <Form
        form={form}
        busy={register.isPending}
        onSubmit={(person) => register.mutate({ params: { key: signOn }, body: { ...person, ticket } })}
      >
        <PersonalFields />
        <TextField<SignOnPerson> name="email" label={m.common_email()} type="email" autoComplete="email" />
        <AddressFields />
        {register.isError && !isSaid && <Notice>{sentenceOf(register.error)}</Notice>}
        <Button type="submit" look="primary" busy={register.isPending}>
          {m.sign_on_become_reader()}
        </Button>
      </Form>
    </FormCard>
  );
}
