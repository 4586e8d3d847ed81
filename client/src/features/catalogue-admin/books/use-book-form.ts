import * as m from '#words/messages.js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { addBook, changeBook, COVER_FIELD } from '#contracts/catalogue/book-save.js';
import type { ExternalBook } from '#contracts/catalogue/book-sources.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { send } from '../../../lib/api/send.js';
import { appNavigation } from '../../../lib/app-navigation.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { showFieldErrors } from '../../../lib/form-errors.js';
import { notify } from '../../../lib/notify.js';
import { useBackNavigation } from '../../../lib/router/back-navigation.js';
import { session } from '../../../lib/session.js';
import {
  BOOK_FIELDS,
  bookResolver,
  EMPTY_BOOK,
  formDataOf,
  sameValue,
  valuesOf,
  type BookFormValues,
  type BookToSave,
} from './book-form-values.js';
import { storedDraft } from './stored-draft.js';
import { FIELD_OF, formOfFound, type NewName } from './new-name.js';
import { useChosenCover } from './use-chosen-cover.js';

/** What happens in the book form: what is typed, found, saved and refused. */
export function useBookForm(book: Book | undefined, title: string) {
  const navigate = useNavigate();
  const wayBack = useBackNavigation('/admin/books');
  // A book that is new may be none of those that the list was searched for.
  const list = book ? wayBack.to : '/admin/books';
  const [draft] = useState(() => storedDraft.find(book?.id));
  /** The book that the changes are made to: as the form was opened with it, or as it was loaded since. */
  const [edited, setEdited] = useState(draft ? draft.edited : book);
  const opened = edited ? valuesOf(edited) : { ...EMPTY_BOOK, title };
  const form = useForm<BookFormValues>({
    resolver: bookResolver(edited),
    mode: 'onTouched',
    defaultValues: draft?.values ?? opened,
  });
  const values = useWatch({ control: form.control }) as BookFormValues;
  const chosen = useChosenCover(draft?.cover ?? null, draft?.removeCover ?? false);
  const [unknown, setUnknown] = useState<readonly NewName[]>([]);
  /** What was kept when a newer version was loaded; null while none was. */
  const [kept, setKept] = useState<readonly (keyof BookFormValues)[] | null>(null);
  /** What was found of the ISBN; offered field by field where there is something to lose. */
  const [found, setFound] = useState<{ book: ExternalBook; isOffered: boolean } | null>(null);
  const [saved, setSaved] = useState(false);
  const save = useSaveBook();
  const sending = useRef(false);

  const changed = BOOK_FIELDS.filter((field) => !sameValue(values[field], opened[field]));
  const unsaved =
    !saved &&
    (chosen.cover !== null ||
      chosen.removed ||
      changed.some((field) => edited !== undefined || field !== 'isbn'));
  useStoredDraft(
    book?.id,
    unsaved ? { values, cover: chosen.cover?.file ?? null, removeCover: chosen.removed, edited } : null,
  );

  // Once it is drawn that there is nothing left to save: until then leaving is asked about.
  useEffect(() => {
    if (saved) void navigate(list);
  }, [saved, navigate, list]);

  const submit = (isbnConfirmed: boolean) => {
    if (sending.current) return;
    sending.current = true;
    save.mutate(
      {
        values: form.getValues(),
        cover: chosen.cover?.file ?? null,
        removeCover: chosen.removed,
        edited,
        isbnConfirmed,
      },
      {
        onSuccess: () => setSaved(true),
        onError: (error) => {
          sending.current = false;
          if (codeOf(error) === 'IsbnTaken')
            form.setError('isbn', { type: 'server', message: error.message }, { shouldFocus: true });
          else showFieldErrors(form, error, BOOK_FIELDS);
        },
      },
    );
  };
  const set = <Name extends keyof BookFormValues>(name: Name, value: BookFormValues[Name]) =>
    form.setValue(name, value as never, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  const take = (book: ExternalBook, fields: readonly (keyof BookFormValues)[]) => {
    const filled = formOfFound(book);
    for (const field of fields) {
      const value = filled.values[field];
      if (value !== undefined) set(field, value);
    }
    const isOf = ({ kind }: NewName) => fields.includes(FIELD_OF[kind]);
    setUnknown([...unknown.filter((name) => !isOf(name)), ...filled.unknown.filter(isOf)]);
  };

  return {
    form,
    edited,
    values,
    chosen,
    unknown,
    found,
    kept,
    unsaved,
    saving: save.isPending,
    /** Why saving was refused, where neither a field nor a question says it. */
    refusal: save.error && !['IsbnTaken', 'IsbnDoubtful'].includes(codeOf(save.error)) ? save.error : null,
    /** Why the number may be wrong; the person may know better. */
    doubt: save.error && codeOf(save.error) === 'IsbnDoubtful' ? save.error : null,
    coverRefusal: save.error instanceof RequestError ? save.error.fieldErrors?.[COVER_FIELD] : undefined,
    submit: () => void form.handleSubmit(() => submit(false))(),
    confirmIsbn: () => submit(true),
    correctIsbn: () => {
      save.reset();
      // After the question has given the focus back.
      window.setTimeout(() => form.setFocus('isbn', { shouldSelect: true }));
    },
    onAsk: () => setFound(null),
    onFound: (book: ExternalBook) => {
      if (book.exists && edited && book.id === edited.id) {
        notify.info(m.book_form_is_edited());
        return;
      }
      if (book.exists && book.id !== null) {
        notify.info(m.book_form_is_there());
        void navigate(`/admin/books/save/${book.id}`);
        return;
      }
      set('isbn', book.isbn);
      const isBlank = BOOK_FIELDS.every(
        (field) => field === 'isbn' || sameValue(form.getValues(field), EMPTY_BOOK[field]),
      );
      if (isBlank) {
        take(book, BOOK_FIELDS);
        notify.success(m.common_details_fetched());
      }
      setFound({ book, isOffered: !isBlank });
    },
    take: (fields: readonly (keyof BookFormValues)[]) => found && take(found.book, fields),
    onNewName: (name: NewName, saved: { id: number; name: string }) => {
      if (name.kind === 'publisher') set('publisher', saved);
      else {
        const field = FIELD_OF[name.kind];
        set(field, [...form.getValues(field), saved]);
      }
      setUnknown(unknown.filter((each) => each !== name));
    },
    /** Takes over what somebody else changed, and keeps what was changed here. */
    takeNewer: (newer: Book) => {
      const mine = form.getValues();
      save.reset();
      setEdited(newer);
      form.reset(valuesOf(newer));
      for (const field of changed) set(field, mine[field]);
      setKept(changed);
    },
  };
}

/** Adds or updates a book; why it failed stays on the form (specification, section 8). */
function useSaveBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (book: BookToSave) => {
      const body = formDataOf(book);
      return book.edited
        ? send(changeBook, { params: { id: book.edited.id }, body })
        : send(addBook, { body });
    },
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? m.common_book_updated() : m.common_book_added());
      void client.invalidateQueries({ queryKey: queryKeys.books });
    },
  });
}

function codeOf(error: Error): string {
  return (error instanceof RequestError && error.problem?.code) || '';
}

type Draft = Parameters<typeof storedDraft.keep>[2];

/** Restores the draft after a person had to sign in again. */
function useStoredDraft(id: number | undefined, draft: Draft | null): void {
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  useEffect(() => {
    // The session may be over by the time the form goes.
    const reader = session.current()?.id;
    return () => {
      const sentAway = appNavigation.here().startsWith('/login');
      if (sentAway && reader && latest.current) storedDraft.keep(reader, id, latest.current);
      else storedDraft.forget();
    };
  }, [id]);
}
