import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import type { z } from 'zod';
import { firstAdminSchema, makeFirstAdmin } from '#contracts/accounts/account-calls.js';
import { LANGUAGES } from '#contracts/languages.js';
import { changeLibrary, NO_FACTS } from '#contracts/library/library-facts.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { Form, TextField } from '../../components/form/form.js';
import { FormCard } from '../../components/form/form-card.js';
import { PasswordField } from '../../components/form/password-field.js';
import { Steps } from '../../components/form/steps.js';
import { Notice } from '../../components/dialog/notice.js';
import { served } from '../../domain/library.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { nameOfLanguage, siteLanguage } from '../../lib/languages.js';
import { isAdmin, session, useUser } from '../../lib/session.js';

const TITLES = [m.set_up_library(), m.set_up_admin(), m.set_up_hours(), m.set_up_books()];
const meta = { inPlace: true };

const { logo: _none, ...NO_LIBRARY } = NO_FACTS;
const librarySchema = changeLibrary.body;
type Library = z.output<typeof librarySchema>;
const FIRST_FACTS: Library = {
  ...NO_LIBRARY,
  language: siteLanguage,
  version: 0,
};

/** An installation that nobody has an account of yet: four steps to a library that can lend. */
export function SetUpPage() {
  usePageTitle(m.set_up_title());
  const user = useUser();
  const [address] = useSearchParams();
  const code = address.get('code') ?? '';
  const [step, setStep] = useState(isAdmin(user) ? 2 : 0);
  const [library, setLibrary] = useState(FIRST_FACTS);
  const navigate = useNavigate();
  const isAwaited = served('set-up') === 'awaited';

  if (!isAwaited && !isAdmin(user)) return <Navigate to="/" replace />;
  if (code === '' && !isAdmin(user))
    return <FormCard title={m.set_up_title()} lead={m.set_up_where_to_begin()} />;
  return (
    <FormCard title={m.set_up_title()}>
      <Steps titles={TITLES} current={step} />
      {step === 0 && (
        <LibraryStep
          library={library}
          onDone={(facts) => {
            setLibrary(facts);
            setStep(1);
          }}
        />
      )}
      {step === 1 && (
        <AdminStep
          code={code}
          library={library}
          onBack={() => setStep(0)}
          onDone={() => {
            setStep(2);
            // The code opens nothing any more.
            void navigate('/set-up', { replace: true });
          }}
        />
      )}
      {step === 2 && (
        <Further lead={m.set_up_hours_lead()} onNext={() => setStep(3)}>
          <ButtonLink to="/admin/rules">{m.set_up_open_rules()}</ButtonLink>
        </Further>
      )}
      {step === 3 && (
        <Further lead={m.set_up_books_lead()} onNext={() => void navigate('/admin/dashboard')} last>
          <ButtonLink to="/admin/books/save">{m.set_up_add_book()}</ButtonLink>
          <ButtonLink to="/admin/users">{m.set_up_register_readers()}</ButtonLink>
        </Further>
      )}
    </FormCard>
  );
}

function LibraryStep({ library, onDone }: { library: Library; onDone: (facts: Library) => void }) {
  const form = useForm({ resolver: zodResolver(librarySchema), mode: 'onTouched', defaultValues: library });
  return (
    <Form form={form} onSubmit={onDone}>
      <TextField name="name" label={m.library_fact_name()} hint={m.library_name_hint()} autoFocus />
      <TextField name="address" label={m.library_fact_address()} />
      <TextField name="email" type="email" label={m.library_fact_email()} hint={m.library_email_hint()} />
      <TextField name="phone" type="tel" label={m.library_fact_phone()} />
      <Field label={m.library_fact_language()} hint={m.library_language_hint()}>
        {(control) => (
          <select {...control} {...form.register('language')}>
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {nameOfLanguage(language)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p className="note">{m.set_up_settings({ timeZone: served('time-zone') })}</p>
      <Button type="submit" look="primary">
        {m.set_up_next()}
      </Button>
    </Form>
  );
}

interface AdminStepProps {
  code: string;
  library: Library;
  onBack: () => void;
  onDone: () => void;
}

function AdminStep({ code, library, onBack, onDone }: AdminStepProps) {
  const form = useForm({
    resolver: zodResolver(firstAdminSchema),
    mode: 'onTouched',
    defaultValues: {
      code,
      username: '',
      email: library.email,
      password: '',
      confirmPassword: '',
      firstname: '',
      lastname: '',
    },
  });
  const tell = useCall(changeLibrary, { meta, onSuccess: onDone });
  // Who has the account signs in, and goes on from there.
  const isMade = useRef(false);
  const make = useCall(makeFirstAdmin, {
    meta,
    onSuccess: (user) => {
      isMade.current = true;
      session.begin(user);
      tell.mutate({ body: library });
    },
    onError: (error) =>
      void showFieldErrors(form, error, [
        'username',
        'email',
        'password',
        'confirmPassword',
        'firstname',
        'lastname',
      ]),
  });
  const failed = make.error ?? tell.error;
  const busy = make.isPending || tell.isPending;
  return (
    <Form
      form={form}
      busy={busy}
      onSubmit={(body) => (isMade.current ? tell.mutate({ body: library }) : make.mutate({ body }))}
    >
      <p className="quiet">{m.set_up_admin_lead()}</p>
      <TextField name="firstname" label={m.common_firstname()} autoComplete="given-name" autoFocus />
      <TextField name="lastname" label={m.common_lastname()} autoComplete="family-name" />
      <TextField
        name="username"
        label={m.set_up_username()}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField name="email" type="email" label={m.library_fact_email()} autoComplete="email" />
      <PasswordField
        name="password"
        label={m.set_up_password()}
        autoComplete="new-password"
        deps={['confirmPassword']}
      />
      <PasswordField name="confirmPassword" label={m.set_up_confirm_password()} autoComplete="new-password" />
      {failed && <Notice>{sentenceOf(failed)}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onBack} disabled={busy}>
          {m.set_up_back()}
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {m.set_up_make_account()}
        </Button>
      </div>
    </Form>
  );
}

interface FurtherProps {
  lead: string;
  onNext: () => void;
  last?: boolean;
  children: React.ReactNode;
}

/** What has a page of its own, to be gone to now or at any time. */
function Further({ lead, onNext, last = false, children }: FurtherProps) {
  return (
    <div className="flex flex-col gap-4">
      <p>{lead}</p>
      <div className="flex flex-wrap gap-3">{children}</div>
      <Button look="primary" onClick={onNext}>
        {last ? m.set_up_finish() : m.set_up_next()}
      </Button>
    </div>
  );
}
