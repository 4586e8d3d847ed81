import * as m from '#words/messages.js';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { BOOK_FIELDS, FIELD_NAMES, valuesOf, type BookFormValues } from './book-form-values.js';
import { COVER_FIELD, lackableSchema } from '#contracts/catalogue/book-save.js';
import { isStored } from '#contracts/stored-fields.js';
import { readBook, type Book } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_LABELS, BOOK_KINDS } from '#contracts/rules/kinds.js';
import { moneyUnit } from '#contracts/money.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { Field } from '../../../components/form/field.js';
import { TextField } from '../../../components/form/form.js';
import { Notice } from '../../../components/dialog/notice.js';
import { UnsavedChanges } from '../../../components/dialog/unsaved-changes.js';
import { send } from '../../../lib/api/send.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { useBackNavigation } from '../../../lib/router/back-navigation.js';
import { AuthorityRefusal } from '../authorities/authority-dialog.js';
import { CoverField } from './cover-field.js';
import { LanguageOptions } from './language-options.js';
import { FoundFields } from './found-fields.js';
import { IsbnField } from './isbn-field.js';
import { NameField } from './name-field.js';
import { NewNameDialog } from './new-name-dialog.js';
import { nameOf, type NewName } from './new-name.js';
import { useBookForm } from './use-book-form.js';

/** A line of the form. */
const Line = TextField<BookFormValues>;

/**
 * Adds a book, or edits the one that is given (specification, section 2, "Admin book save form").
 * @param title what is known of a new one
 */
export function BookForm({ book, title = '' }: { book?: Book; title?: string | undefined }) {
  const state = useBookForm(book, title);
  const { form, edited, values, chosen } = state;
  const wayBack = useBackNavigation('/admin/books');
  const { errors } = form.formState;
  const [adding, setAdding] = useState<NewName | null>(null);
  const isRequired = (field: keyof typeof lackableSchema.shape) =>
    !edited || !isStored('', valuesOf(edited)[field]);
  const names = { control: form.control, unknown: state.unknown, onAdd: setAdding };

  return (
    <FormProvider {...form}>
      <form
        className="grid grid-cols-[minmax(0,42rem)_15rem] gap-x-10 gap-y-6 to-760:grid-cols-1"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          state.submit();
        }}
      >
        <div
          // Who is taken to a field sees its label too.
          className="flex flex-col gap-4 [&_:is(input,textarea)]:[scroll-margin-block:6rem] [&_textarea]:resize-y"
        >
          <IsbnField form={form} onAsk={state.onAsk} onFound={state.onFound} />
          {state.found && (
            <FoundFields {...state.found} values={values} unknown={state.unknown} onTake={state.take} />
          )}
          <Line name="title" label={m.common_book_title()} autoComplete="off" aria-required="true" />
          <div className="grid grid-cols-2 gap-4 to-480:grid-cols-1">
            <Line
              name="originalTitle"
              label={m.book_form_original_title()}
              hint={m.book_form_optional()}
              autoComplete="off"
            />
            <Field
              label={m.book_form_other_titles()}
              hint={m.book_form_other_titles_hint()}
              errors={[errors.otherTitles?.message]}
            >
              {(control) => <textarea {...control} {...form.register('otherTitles')} rows={1} />}
            </Field>
          </div>
          <div className="grid grid-cols-[minmax(0,3fr)_minmax(7rem,1fr)] gap-4">
            <Line
              name="series"
              label={m.catalogue_series()}
              hint={m.book_form_series_hint()}
              autoComplete="off"
            />
            <Line
              name="volume"
              label={m.book_form_volume()}
              hint={m.book_form_volume_hint()}
              autoComplete="off"
            />
          </div>
          <Field label={m.common_description()} errors={[errors.description?.message]}>
            {(control) => (
              <textarea
                {...control}
                {...form.register('description')}
                rows={6}
                aria-required={isRequired('description')}
              />
            )}
          </Field>
          <NameField
            kind="author"
            required={isRequired('authors')}
            error={errors.authors?.message}
            {...names}
          />
          <NameField kind="genre" required={isRequired('genres')} error={errors.genres?.message} {...names} />
          <div className="grid grid-cols-2 gap-4 phone:[&>:last-child]:col-span-full">
            <Line
              name="publicationDate"
              label={m.book_form_date()}
              hint={m.book_form_date_hint()}
              autoComplete="off"
              aria-required={isRequired('publicationDate')}
            />
            <Field
              label={m.common_language()}
              hint={m.book_form_optional()}
              errors={[errors.language?.message]}
            >
              {(control) => (
                <select {...control} {...form.register('language')}>
                  <LanguageOptions chosen={values.language} />
                </select>
              )}
            </Field>
            <Line
              name="copiesAvailable"
              label={m.catalogue_copies_available()}
              type="number"
              inputMode="numeric"
              min={edited?.copiesAvailable === 0 ? 0 : 1}
              step={1}
              aria-required="true"
            />
            <Line
              name="price"
              label={m.book_form_price()}
              hint={m.book_form_price_hint({ currency: moneyUnit() })}
              inputMode="decimal"
              autoComplete="off"
            />
            <Field
              label={m.catalogue_lending()}
              errors={[errors.kind?.message]}
              {...(values.kind === 'reading-room' && {
                hint: m.book_form_reading_room_hint(),
              })}
            >
              {(control) => (
                <select {...control} {...form.register('kind')}>
                  {BOOK_KINDS.map((kind) => (
                    <option key={kind} value={kind}>
                      {BOOK_KIND_LABELS[kind]()}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <NameField
            kind="publisher"
            required={isRequired('publisher')}
            error={errors.publisher?.message}
            {...names}
          />
        </div>
        <div>
          <CoverField
            book={
              edited && {
                id: edited.id,
                title: values.title || edited.title,
                authors: values.authors.map(({ name }) => ({ firstname: name, lastname: '' })),
                genres: values.genres,
                photo: edited.photo,
              }
            }
            cover={chosen.cover}
            errors={[chosen.problem, ...(state.coverRefusal ?? [])]}
            onChoose={chosen.choose}
            removed={chosen.removed}
            onRemove={chosen.remove}
            onRemoved={chosen.setRemoved}
            onUnreadable={chosen.refuse}
          />
        </div>
        <div className="col-start-1 flex flex-col gap-4">
          <AuthorityRefusal
            error={state.refusal}
            fields={[...BOOK_FIELDS, COVER_FIELD]}
            load={edited && (() => send(readBook, { params: { id: edited.id } }))}
            onLoaded={state.takeNewer}
          />
          {state.kept && !state.refusal && <Notice look="news">{newerSentence(state.kept)}</Notice>}
          <div className="flex gap-3 [&>*]:min-w-28 to-480:[&>*]:flex-1">
            <Button type="submit" look="primary" busy={state.saving}>
              {m.common_save()}
            </Button>
            <ButtonLink {...wayBack}>{m.common_close()}</ButtonLink>
          </div>
        </div>
      </form>
      {adding && (
        <NewNameDialog
          key={`${adding.kind} ${nameOf(adding)}`}
          name={adding}
          onClose={() => setAdding(null)}
          onSaved={(saved) => {
            state.onNewName(adding, saved);
            setAdding(null);
          }}
        />
      )}
      {state.doubt && (
        <Confirmation
          question={m.book_form_isbn_question()}
          action={m.book_form_isbn_confirm()}
          refusal={m.book_form_isbn_correct()}
          busy={state.saving}
          onConfirm={state.confirmIsbn}
          onDecline={state.correctIsbn}
        >
          {sentenceOf(state.doubt)}
        </Confirmation>
      )}
      <UnsavedChanges unsaved={state.unsaved} />
    </FormProvider>
  );
}

function newerSentence(kept: readonly (keyof BookFormValues)[]): string {
  if (kept.length === 0) return m.book_form_newer_unchanged();
  return m.book_form_newer_kept({ fields: kept.map((field) => FIELD_NAMES[field]).join(', ') });
}
