import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import Mail from 'lucide-react/icons/mail';
import ScanBarcode from 'lucide-react/icons/scan-barcode';
import { useForm, useFormContext } from 'react-hook-form';
import {
  changeLibrary,
  CHANGES_SHOWN,
  listLibraryChanges,
  readLibrary,
  type LibraryChange,
  type LibraryFacts,
  type LibraryView,
} from '#contracts/library/library-facts.js';
import { LANGUAGES } from '#contracts/languages.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { Form, TextField } from '../../components/form/form.js';
import { Notice } from '../../components/dialog/notice.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { TimeAndMoneyFields } from '../../domain/time-and-money-fields.js';
import { nameOfLanguage } from '../../lib/languages.js';
import { StaffButtonLink } from '../../domain/staff-link.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { usePageState, useList } from '../../lib/use-list.js';
import { AccentField } from './accent-field.js';
import { DemoPart } from './demo-part.js';
import { FACT_NAMES } from './fact-names.js';
import { LogoField } from './logo-field.js';

const meta = { inPlace: true };

/** What the library says of itself: its name, how it is reached, how it looks, and its own pages. */
export function LibraryPage() {
  usePageTitle(m.library_title());
  const library = useQuery({ ...queryOf(readLibrary), refetchOnMount: 'always', meta });
  return (
    <>
      <h2 className="mb-2 text-4">{m.library_title()}</h2>
      <p className="mb-6 max-w-measure text-ink-soft">{m.library_lead()}</p>
      <Loaded of={library} waiting={<SkeletonLines label={m.library_loading()} widths={[60, 50, 70, 40]} />}>
        {(view) => (
          <div className="flex flex-col gap-10 max-w-measure">
            <div className="flex flex-wrap gap-2">
              <ButtonLink to="/admin/library/letters" icon={Mail}>
                {m.own_letters_title()}
              </ButtonLink>
              <ButtonLink to="/admin/devices" icon={ScanBarcode}>
                {m.devices_title()}
              </ButtonLink>
              <StaffButtonLink to="/admin/library/sign-on" icon={KeyRound}>
                {m.sign_on_title()}
              </StaffButtonLink>
            </div>
            <LogoField logo={view.logo} />
            {/* Anew when somebody else has changed it and that was looked at. */}
            <FactsForm key={view.version} view={view} />
            <DemoPart />
            <Changes />
          </div>
        )}
      </Loaded>
    </>
  );
}

const changeBody = changeLibrary.body;

function FactsForm({ view }: { view: LibraryView }) {
  const { logo: _logo, fixed, ...facts } = view;
  const client = useQueryClient();
  const form = useForm({ resolver: zodResolver(changeBody), mode: 'onTouched', defaultValues: facts });
  const save = useCall(changeLibrary, {
    meta,
    onSuccess: (saved) => {
      client.setQueryData(keyOf(readLibrary), saved);
      void client.invalidateQueries({ queryKey: keyOf(listLibraryChanges) });
      notify.success(m.library_saved());
    },
    onError: (error) => void showFieldErrors(form, error, Object.keys(FACT_NAMES) as (keyof LibraryFacts)[]),
  });
  const look = () => void client.invalidateQueries({ queryKey: keyOf(readLibrary) });
  return (
    <Form form={form} busy={save.isPending} onSubmit={(body) => save.mutate({ body })}>
      <h3>{m.library_name_and_address()}</h3>
      <TextField
        name="name"
        label={FACT_NAMES.name}
        {...(fixed.name !== null && { disabled: true })}
        hint={fixed.name === null ? m.library_name_hint() : m.library_name_fixed({ name: fixed.name })}
      />
      <TextField name="shortName" label={FACT_NAMES.shortName} hint={m.library_short_name_hint()} />
      <LongField name="address" rows={3} hint={m.library_address_hint()} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-4">
        <TextField name="email" type="email" label={FACT_NAMES.email} hint={m.library_email_hint()} />
        <TextField name="phone" type="tel" label={FACT_NAMES.phone} />
      </div>
      {fixed.contact !== null && <p className="note">{m.library_contact_fixed()}</p>}
      <Field
        label={FACT_NAMES.language}
        hint={m.library_language_hint()}
        errors={[form.formState.errors.language?.message]}
      >
        {(control) => (
          <select {...control} {...form.register('language')}>
            <option value="">{nameOfLanguage('en')}</option>
            {LANGUAGES.filter((language) => language !== 'en').map((language) => (
              <option key={language} value={language}>
                {nameOfLanguage(language)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <AccentField />
      <h3 className="mt-4">{m.library_time_and_money()}</h3>
      <TimeAndMoneyFields fixed={fixed} />
      <h3 className="mt-4">{m.library_rules_and_pages()}</h3>
      <LongField name="houseRules" rows={8} hint={m.library_house_rules_hint()} />
      <LongField name="imprint" rows={8} hint={m.library_page_hint()} />
      <LongField name="privacy" rows={8} hint={m.library_page_hint()} />
      {save.isError && (
        <Notice
          action={
            <Button size="small" onClick={look}>
              {m.library_look_again()}
            </Button>
          }
        >
          {sentenceOf(save.error)}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!form.formState.isDirty}>
          {m.library_save()}
        </Button>
        {form.formState.isDirty && <Button onClick={() => form.reset()}>{m.library_put_back()}</Button>}
      </div>
    </Form>
  );
}

interface LongFieldProps {
  name: 'address' | 'houseRules' | 'imprint' | 'privacy';
  rows: number;
  hint: string;
}

function LongField({ name, rows, hint }: LongFieldProps) {
  const { register, formState } = useFormContext<LibraryFacts>();
  return (
    <Field label={FACT_NAMES[name]} hint={hint} errors={[formState.errors[name]?.message]}>
      {(control) => <textarea {...control} {...register(name)} rows={rows} />}
    </Field>
  );
}

/** Who changed what, the latest first. */
function Changes() {
  const address = usePageState();
  const [{ pageNumber }] = address;
  const answer = useQuery({
    ...queryOf(listLibraryChanges, { query: { pageNumber, pageSize: CHANGES_SHOWN } }),
    placeholderData: keepPreviousData,
    meta,
  });
  const list = useList(address, answer, CHANGES_SHOWN);
  return (
    <section>
      <h3 className="mb-3">{m.library_changes()}</h3>
      <PagedList
        list={list}
        label={m.library_changes_label()}
        pagesLabel={m.library_changes_pages()}
        empty={<EmptyState title={m.library_no_changes()}>{m.library_no_changes_lead()}</EmptyState>}
      >
        {(page) => (
          <ol role="list" className="flex flex-col gap-4">
            {page?.items.map((change) => (
              <Change key={change.version} {...change} />
            ))}
          </ol>
        )}
      </PagedList>
    </section>
  );
}

function Change({ at, by, changes }: LibraryChange) {
  return (
    <li className="pb-3 border-b border-line">
      <p className="text-1 text-ink-soft tabular-nums">
        <time dateTime={at}>{isoMinute(at)}</time>, {by ?? m.library_changed_by_gone()}
      </p>
      <dl className="mt-1 text-1">
        {changes.map(({ fact, from, to }, place) => (
          <div
            key={`${fact} ${place}`}
            className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 to-760:grid-cols-1"
          >
            <dt className="font-strong">{FACT_NAMES[fact]}</dt>
            <dd className="break-words">
              {from !== '' && <del className="text-ink-soft">{from}</del>}{' '}
              {to === '' ? m.library_taken_away() : <ins className="no-underline">{to}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
