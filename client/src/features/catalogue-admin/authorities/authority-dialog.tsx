import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useMutation } from '@tanstack/react-query';
import { Dialog, SubmitButtons } from '../../../components/dialog/dialog.js';
import { Field } from '../../../components/form/field.js';
import { Form } from '../../../components/form/form.js';
import { showFieldErrors } from '../../../lib/form-errors.js';
import { request } from '../../../lib/api/request.js';
import { Button } from '../../../components/form/button.js';
import { Notice } from '../../../components/dialog/notice.js';
import { RequestError, sentenceOf } from '../../../lib/api/request-error.js';
import { type Named, useSaveAuthority } from './authority-calls.js';
import type { Authority, AuthorityField, AuthorityKind } from './authority-kinds.js';

interface AuthorityDialogProps<Item extends Authority & Body, Body extends object, Sort extends string> {
  kind: AuthorityKind<Item, Body, Sort>;
  /** The authority that is edited; none when one is added. */
  edited?: Item;
  /** What is known of a new one. */
  prefilled?: Partial<Body>;
  onSaved: (saved: Named) => void;
  onClose: () => void;
}

/** Adds or edits an author, a genre or a publisher. Refused, it stays open with what was typed. */
export function AuthorityDialog<Item extends Authority & Body, Body extends object, Sort extends string>(
  props: AuthorityDialogProps<Item, Body, Sort>,
) {
  const { kind, prefilled, onSaved, onClose } = props;
  const { name: noun } = kind;
  const fields: readonly AuthorityField[] = kind.fields;
  const bodyOf = (known: Partial<Body>) =>
    Object.fromEntries(fields.map(({ name }) => [name, String(known[name as keyof Body] ?? '')]));
  const save = useSaveAuthority(kind);
  /** As it was opened, or as it was loaded since. */
  const [edited, setEdited] = useState(props.edited);
  const form = useForm({ mode: 'onTouched', defaultValues: bodyOf(props.edited ?? prefilled ?? {}) });
  const { errors, isValid, isDirty } = form.formState;
  const title = `${props.edited ? 'Edit' : 'Add'} ${noun}`;
  const sending = useRef(false);

  const send = () => {
    if (sending.current) return;
    sending.current = true;
    save.mutate(
      { body: form.getValues() as Body, edited },
      {
        onSuccess: onSaved,
        onError: (error) => {
          sending.current = false;
          showFieldErrors(
            form,
            error,
            fields.map(({ name }) => name),
          );
        },
      },
    );
  };
  const takeNewer = (newer: Item) => {
    const typed = form.getValues();
    const opened = form.formState.defaultValues;
    const current = bodyOf(newer);
    setEdited(newer);
    save.reset();
    form.reset(current);
    for (const { name } of fields) {
      if (typed[name] !== opened?.[name])
        form.setValue(name, typed[name] ?? '', {
          shouldDirty: true,
          shouldTouch: true,
          shouldValidate: true,
        });
    }
  };
  return (
    <Dialog title={title} onClose={onClose} keep={isDirty || save.isPending}>
      <Form form={form} enterExplains onSubmit={send}>
        {fields.map(({ name, label, required, type = 'text' }) => {
          const input = form.register(name, {
            validate: (text: string) => text.trim() !== '' || required,
          });
          return (
            <Field key={name} label={label} errors={[errors[name]?.message]}>
              {(control) =>
                type === 'multiline' ? (
                  <textarea {...control} {...input} rows={5} aria-required="true" />
                ) : (
                  <input
                    {...control}
                    {...input}
                    // An address without its scheme is welcome too, so the browser does not check it.
                    type={type === 'url' ? 'text' : type}
                    inputMode={type}
                    autoComplete="off"
                    aria-required="true"
                  />
                )
              }
            </Field>
          );
        })}
        <AuthorityRefusal
          error={save.error}
          fields={fields.map(({ name }) => name)}
          load={props.edited && (() => request(kind.one, `${noun}/${props.edited?.id}`))}
          onLoaded={takeNewer}
        />
        <SubmitButtons action={title} disabled={!isValid} busy={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface AuthorityRefusalProps<Item> {
  error: Error | null;
  /** The fields that show messages of their own. */
  fields: readonly string[];
  /** Fetches what is edited as it is now; missing where nothing is edited. */
  load: (() => Promise<Item>) | undefined;
  onLoaded: (newer: Item) => void;
}

/** Why saving was refused, where no field says it. */
export function AuthorityRefusal<Item>({ error, fields, load, onLoaded }: AuthorityRefusalProps<Item>) {
  const newer = useMutation({
    mutationFn: async () => load?.(),
    meta: { inPlace: true },
    onSuccess: (item) => item && onLoaded(item),
  });
  if (!error || fields.some((field) => error instanceof RequestError && error.fieldErrors?.[field]?.length))
    return null;
  const outdated = error instanceof RequestError && error.problem?.code === 'EditedMeanwhile';
  return (
    <>
      <Notice
        action={
          outdated &&
          load && (
            <Button size="small" busy={newer.isPending} onClick={() => newer.mutate()}>
              Load the newer version
            </Button>
          )
        }
      >
        {sentenceOf(error)} {outdated && 'What you have changed here stays as you typed it.'}
      </Notice>
      {newer.isError && <Notice>{sentenceOf(newer.error)}</Notice>}
    </>
  );
}
