import { zodResolver } from '@hookform/resolvers/zod';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { Form, TextField } from '../../components/form/form.js';
import { Notice } from '../../components/dialog/notice.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { notify } from '../../lib/notify.js';
import { usePageState, useList } from '../../lib/use-list.js';
import { AccentField } from './accent-field.js';
import { FACT_NAMES } from './fact-names.js';
import { LogoField } from './logo-field.js';

const meta = { inPlace: true };

/** What the library says of itself: its name, how it is reached, how it looks, and its own pages. */
export function LibraryPage() {
  usePageTitle('The library');
  const library = useQuery({ ...queryOf(readLibrary), refetchOnMount: 'always', meta });
  return (
    <>
      <h2 className="mb-2 text-4">The library</h2>
      <p className="mb-6 max-w-measure text-ink-soft">
        What readers see of the library on every page, in letters and on paper. A page that is open shows a
        change when it is loaded again.
      </p>
      <Loaded of={library} waiting={<SkeletonLines label="Loading the library" widths={[60, 50, 70, 40]} />}>
        {(view) => (
          <div className="flex flex-col gap-10 max-w-measure">
            <LogoField logo={view.logo} />
            {/* Anew when somebody else has changed it and that was looked at. */}
            <FactsForm key={view.version} view={view} />
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
      notify.success('Saved. Pages show it when they are loaded again.');
    },
    onError: (error) => void showFieldErrors(form, error, Object.keys(FACT_NAMES) as (keyof LibraryFacts)[]),
  });
  const look = () => void client.invalidateQueries({ queryKey: keyOf(readLibrary) });
  return (
    <Form form={form} busy={save.isPending} onSubmit={(body) => save.mutate({ body })}>
      <h3>Name and address</h3>
      <TextField
        name="name"
        label={FACT_NAMES.name}
        {...(fixed.name !== null && { disabled: true })}
        hint={
          fixed.name === null
            ? 'On every page, in letters and on paper.'
            : `APP_TITLE of the installation says “${fixed.name}”, which wins.`
        }
      />
      <TextField
        name="shortName"
        label={FACT_NAMES.shortName}
        hint="Where there is little room: at the top on a phone."
      />
      <LongField name="address" rows={3} hint="In the foot of every page, as it is typed." />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-4">
        <TextField
          name="email"
          type="email"
          label={FACT_NAMES.email}
          hint="Readers’ answers to letters go to it."
        />
        <TextField name="phone" type="tel" label={FACT_NAMES.phone} />
      </div>
      {fixed.contact !== null && (
        <p className="note">
          CONTACT of the installation is shown in the foot in place of address, email and telephone.
        </p>
      )}
      <AccentField />
      <h3 className="mt-4">House rules and pages</h3>
      <LongField
        name="houseRules"
        rows={8}
        hint="A rule on each line. Left empty, the usual rules are shown."
      />
      <LongField name="imprint" rows={8} hint="In Markdown. With a text, a link to it stands in the foot." />
      <LongField name="privacy" rows={8} hint="In Markdown. With a text, a link to it stands in the foot." />
      {save.isError && (
        <Notice
          action={
            <Button size="small" onClick={look}>
              Look at what it is now
            </Button>
          }
        >
          {sentenceOf(save.error)}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!form.formState.isDirty}>
          Save
        </Button>
        {form.formState.isDirty && <Button onClick={() => form.reset()}>Put back</Button>}
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
      <h3 className="mb-3">Changes</h3>
      <PagedList
        list={list}
        label="Changes of the library"
        pagesLabel="Pages of the changes"
        empty={
          <EmptyState title="No changes yet">Who changes something, and when, is listed here.</EmptyState>
        }
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
        <time dateTime={at}>{isoMinute(at)}</time>, {by ?? 'an account that is gone'}
      </p>
      <dl className="mt-1 text-1">
        {changes.map(({ fact, from, to }) => (
          <div key={fact} className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 to-760:grid-cols-1">
            <dt className="font-strong">{FACT_NAMES[fact]}</dt>
            <dd className="break-words">
              {from !== '' && <del className="text-ink-soft">{from}</del>}{' '}
              {to === '' ? 'taken away' : <ins className="no-underline">{to}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
