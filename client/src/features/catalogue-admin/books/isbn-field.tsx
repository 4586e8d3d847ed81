import * as m from '#words/messages.js';
import type { UseFormReturn } from 'react-hook-form';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { findExternalBook, type ExternalBook } from '#contracts/catalogue/book-sources.js';
import { Button } from '../../../components/form/button.js';
import { Field } from '../../../components/form/field.js';
import { Notice } from '../../../components/dialog/notice.js';
import { useCall } from '../../../lib/api/send.js';
import { RequestError, sentenceOf } from '../../../lib/api/request-error.js';
import { showFieldErrors } from '../../../lib/form-errors.js';
import { notify } from '../../../lib/notify.js';
import type { BookFormValues } from './book-form-values.js';

interface IsbnFieldProps {
  form: UseFormReturn<BookFormValues>;
  /** What was found before counts no more. */
  onAsk: () => void;
  onFound: (book: ExternalBook) => void;
}

/** The ISBN, and what can be found by it. */
export function IsbnField({ form, onAsk, onFound }: IsbnFieldProps) {
  const details = useCall(findExternalBook, { meta: { inPlace: true } });
  const fetchDetails = () => {
    if (details.isPending) return;
    const isbn = form.getValues('isbn').trim();
    if (isbn === '') {
      notify.warning(m.common_enter_isbn());
      form.setFocus('isbn');
      return;
    }
    onAsk();
    details.mutate(
      { query: { isbn } },
      {
        onSuccess: onFound,
        onError: (error) => void showFieldErrors(form, error, ['isbn']),
      },
    );
  };
  const refused =
    details.isError && !(details.error instanceof RequestError && details.error.fieldErrors?.isbn);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="ISBN"
        errors={[form.formState.errors.isbn?.message]}
        {...(isInternalNumber(form.watch('isbn')) && {
          hint: m.book_form_isbn_own(),
        })}
      >
        {(control) => (
          <div className="flex gap-2 [&>input]:min-w-0 [&>input]:tabular-nums to-480:flex-col">
            <input
              {...control}
              {...form.register('isbn')}
              type="text"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              aria-required="true"
              // A scanner ends with Enter: that is no wish to save.
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                fetchDetails();
              }}
            />
            <Button busy={details.isPending} onClick={fetchDetails}>
              {m.common_fetch_details()}
            </Button>
          </div>
        )}
      </Field>
      {refused && <Notice>{sentenceOf(details.error)}</Notice>}
    </div>
  );
}
