import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { firstAdminSchema, makeFirstAdmin } from '#contracts/accounts/account-calls.js';
import { LANGUAGES } from '#contracts/languages.js';
import {
  changeLibrary,
  NO_FACTS,
  readLibrary,
  type LibraryFacts,
  type LibraryView,
} from '#contracts/library/library-facts.js';
import { USUAL_CURRENCY } from '#contracts/currency.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { Form, TextField } from '../../components/form/form.js';
import { FormCard } from '../../components/form/form-card.js';
import { PasswordField } from '../../components/form/password-field.js';
import { Notice } from '../../components/dialog/notice.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { isSetUpAwaited, served } from '../../domain/library.js';
import { SET_UP, SetUpFrame } from '../../domain/set-up-frame.js';
import { suggestedCurrency, TimeAndMoneyFields } from '../../domain/time-and-money-fields.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { nameOfLanguage, siteLanguage } from '../../lib/languages.js';
import { isAdmin, session, useUser } from '../../lib/session.js';

const meta = { inPlace: true };
const librarySchema = changeLibrary.body;
/** Where what was typed outlives a reload, until there is somebody who may store it. */
const TYPED = 'lectern-set-up';
const FACTS = Object.keys(NO_FACTS) as (keyof LibraryFacts)[];

/** Of the environment, or of this browser: they are mostly at the same place. */
function firstFacts(): LibraryFacts {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const suggested = suggestedCurrency(navigator.language, timeZone);
  const { logo: _none, ...facts } = NO_FACTS;
  return {
    ...facts,
    language: siteLanguage,
    timeZone: served('fixed-time-zone') || timeZone,
    currency: suggested === USUAL_CURRENCY ? '' : suggested,
  };
}

function typedFacts(): LibraryFacts {
  try {
    const typed: unknown = JSON.parse(sessionStorage.getItem(TYPED) ?? '{}');
    return librarySchema.omit({ version: true }).parse({ ...firstFacts(), ...(typed as object) });
  } catch {
    return firstFacts();
  }
}

/** An installation that nobody has an account of yet: the first two of four steps to a library that can lend. */
export function SetUpPage() {
  usePageTitle(m.set_up_title());
  const user = useUser();
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const code = address.get('code') ?? '';
  const [library, setLibrary] = useState(typedFacts);
  // Whoever becomes one here stays at the step that they are at.
  const [wasAdmin] = useState(() => isAdmin(user));

  if (wasAdmin) return <StoredLibraryStep />;
  if (!isSetUpAwaited()) return <Navigate to="/" replace />;
  if (code === '') return <FormCard title={m.set_up_title()} lead={m.set_up_where_to_begin()} />;
  const isAdminNext = address.has('admin');
  return (
    <SetUpFrame step={isAdminNext ? 1 : 0}>
      {isAdminNext ? (
        <AdminStep code={code} library={library} onBack={() => void navigate(-1)} />
      ) : (
        <LibraryStep
          facts={library}
          isZoneFixed={served('fixed-time-zone') !== ''}
          onDone={(facts) => {
            sessionStorage.setItem(TYPED, JSON.stringify(facts));
            setLibrary(facts);
            setAddress({ code, admin: '' });
          }}
        />
      )}
    </SetUpFrame>
  );
}

/** What is stored already, gone back to. */
function StoredLibraryStep() {
  const library = useQuery({ ...queryOf(readLibrary), refetchOnMount: 'always', meta });
  return (
    <SetUpFrame step={0}>
      <Loaded of={library} waiting={<SkeletonLines label={m.library_loading()} widths={[60, 50, 70]} />}>
        {(view) => <StoredLibrary view={view} />}
      </Loaded>
    </SetUpFrame>
  );
}

function StoredLibrary({ view }: { view: LibraryView }) {
  const { logo: _logo, fixed, version, ...stored } = view;
  const tell = useCall(changeLibrary, { meta, onSuccess: goOn });
  return (
    <LibraryStep
      facts={version === 0 ? typedFacts() : stored}
      isZoneFixed={fixed.timeZone}
      isCurrencyFixed={fixed.currency}
      error={tell.error}
      busy={tell.isPending}
      onDone={(facts, form) =>
        tell.mutate(
          { body: { ...facts, version } },
          { onError: (error) => void showFieldErrors(form, error, FACTS) },
        )
      }
    />
  );
}

/** With the page anew: it is served with what was just said. */
function goOn(): void {
  sessionStorage.removeItem(TYPED);
  window.location.replace(`/#${SET_UP.hours}`);
  window.location.reload();
}

interface LibraryStepProps {
  facts: LibraryFacts;
  isZoneFixed: boolean;
  isCurrencyFixed?: boolean;
  error?: Error | null;
  busy?: boolean;
  onDone: (facts: LibraryFacts, form: UseFormReturn<LibraryFacts>) => void;
}

function LibraryStep({
  facts,
  isZoneFixed,
  isCurrencyFixed = false,
  error,
  busy = false,
  onDone,
}: LibraryStepProps) {
  const form = useForm({
    resolver: zodResolver(librarySchema.omit({ version: true })),
    mode: 'onTouched',
    defaultValues: facts,
  });
  return (
    <Form form={form} busy={busy} onSubmit={(typed) => onDone(typed, form)}>
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
      <TimeAndMoneyFields fixed={{ timeZone: isZoneFixed, currency: isCurrencyFixed }} />
      {error && <Notice>{sentenceOf(error)}</Notice>}
      <Button type="submit" look="primary" busy={busy}>
        {m.set_up_next()}
      </Button>
    </Form>
  );
}

interface AdminStepProps {
  code: string;
  library: LibraryFacts;
  onBack: () => void;
}

function AdminStep({ code, library, onBack }: AdminStepProps) {
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
  const body = { ...library, version: 0 };
  const tell = useCall(changeLibrary, { meta, onSuccess: goOn });
  // Who has the account signs in, and goes on from there.
  const isMade = useRef(false);
  const make = useCall(makeFirstAdmin, {
    meta,
    onSuccess: (user) => {
      isMade.current = true;
      session.begin(user);
      tell.mutate({ body });
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
      onSubmit={(person) => (isMade.current ? tell.mutate({ body }) : make.mutate({ body: person }))}
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
