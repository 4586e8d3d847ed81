import * as m from '#words/messages.js';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Permission } from '#contracts/permissions.js';
import type { Call } from '#contracts/call.js';
import { isStored } from '#contracts/stored-fields.js';
import { Dialog, SubmitButtons } from '../../../components/dialog/dialog.js';
import { Field } from '../../../components/form/field.js';
import { Form } from '../../../components/form/form.js';
import { showFieldErrors } from '../../../lib/form-errors.js';
import { keyOf, send } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import type { PickerOption } from '../../../components/form/picker-options.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { Button } from '../../../components/form/button.js';
import { Notice } from '../../../components/dialog/notice.js';
import { RequestError, sentenceOf } from '../../../lib/api/request-error.js';
import type { Authority, AuthorityField, AuthorityKind } from './authority-kinds.js';

interface AuthorityDialogProps<Item extends Authority & Body, Body extends object, Sort extends string> {
  kind: AuthorityKind<Item, Body, Sort>;
  /** The authority that is edited; none when one is added. */
  edited?: Item;
  /** What is known of a new one. */
  prefilled?: Partial<Body>;
  /** Given it as a choice shows it. */
  onSaved: (saved: PickerOption) => void;
  onClose: () => void;
}

type Saving<Item> = Call<{ may: readonly Permission[]; answer: z.ZodType<Item> }>;

const TITLES = {
  author: { add: m.common_add_author, edit: m.authority_edit_author },
  genre: { add: m.common_add_genre, edit: m.authority_edit_genre },
  publisher: { add: m.authority_add_publisher, edit: m.authority_edit_publisher },
};

/** Adds or updates; the dialog stays open after a failure, and shows it too. */
function useSaveAuthority<Item extends Authority & Body, Body extends object, Sort extends string>(
  kind: AuthorityKind<Item, Body, Sort>,
) {
  const { calls, nameOf } = kind;
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, edited }: { body: Body; edited: Item | undefined }): Promise<PickerOption> => {
      const sent = edited
        ? { params: { id: edited.id }, body: { id: edited.id, ...body, version: edited.version } }
        : { body };
      const saved = await send<Saving<Item>>(edited ? calls.change : calls.add, sent);
      return { id: saved.id, name: nameOf(saved) };
    },
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? kind.updated : kind.added);
      void client.invalidateQueries({ queryKey: keyOf(calls.read) });
      // Books are shown with its name.
      if (edited) void client.invalidateQueries({ queryKey: queryKeys.books });
    },
    onError: (error, { edited }) => {
      // If the session has ended, the page says so once and goes to the sign-in page.
      if (!(error instanceof RequestError && error.status === 401))
        notify.error(edited ? kind.notUpdated : kind.notAdded);
    },
  });
}

/** Adds or edits an author, a genre or a publisher. Refused, it stays open with what was typed. */
export function AuthorityDialog<Item extends Authority & Body, Body extends object, Sort extends string>(
  props: AuthorityDialogProps<Item, Body, Sort>,
) {
  const { kind, edited: opened, prefilled, onSaved, onClose } = props;
  const fields: readonly AuthorityField[] = kind.fields;
  const bodyOf = (known: Partial<Body>) =>
    Object.fromEntries(
      fields.map(({ name }) => {
        const value: unknown = known[name as keyof Body] ?? '';
        return [name, Array.isArray(value) ? value.join('\n') : String(value)];
      }),
    );
  const isLacking = (name: string) => edited !== undefined && isStored('', edited[name as keyof Item]);
  const typedBody = () =>
    Object.fromEntries(
      fields.map(({ name, type }) => {
        const text = form.getValues(name) ?? '';
        return [name, type === 'lines' ? text.split('\n').filter((line) => line.trim() !== '') : text];
      }),
    ) as Body;
  const save = useSaveAuthority(kind);
  /** As it was opened, or as it was loaded since. */
  const [edited, setEdited] = useState(opened);
  const form = useForm({ mode: 'onTouched', defaultValues: bodyOf(opened ?? prefilled ?? {}) });
  const { errors, isValid, isDirty } = form.formState;
  const title = TITLES[kind.kind][opened ? 'edit' : 'add']();
  const sending = useRef(false);

  const submit = () => {
    if (sending.current) return;
    sending.current = true;
    save.mutate(
      { body: typedBody(), edited },
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
    const before = form.formState.defaultValues;
    const current = bodyOf(newer);
    setEdited(newer);
    save.reset();
    form.reset(current);
    for (const { name } of fields) {
      if (typed[name] !== before?.[name])
        form.setValue(name, typed[name] ?? '', {
          shouldDirty: true,
          shouldTouch: true,
          shouldValidate: true,
        });
    }
  };
  return (
    <Dialog title={title} onClose={onClose} keep={isDirty || save.isPending}>
      <Form form={form} enterExplains onSubmit={submit}>
        {fields.map(({ name, label, required, hint, type = 'text' }) => {
          const input = form.register(name, {
            // What it lacks may be lacking still.
            validate: (text: string) => text.trim() !== '' || isLacking(name) || required,
          });
          const isRequired = required !== undefined && !isLacking(name);
          return (
            <Field key={name} label={label} errors={[errors[name]?.message]} {...(hint && { hint })}>
              {(control) =>
                type === 'multiline' || type === 'lines' ? (
                  <textarea
                    {...control}
                    {...input}
                    rows={type === 'lines' ? 2 : 5}
                    aria-required={isRequired}
                  />
                ) : (
                  <input
                    {...control}
                    {...input}
                    // An address without its scheme is welcome too, so the browser does not check it.
                    type={type === 'url' ? 'text' : type}
                    inputMode={type}
                    autoComplete="off"
                    aria-required={isRequired}
                  />
                )
              }
            </Field>
          );
        })}
        <AuthorityRefusal
          error={save.error}
          fields={fields.map(({ name }) => name)}
          load={opened && (() => send(kind.calls.read, { params: { id: opened.id } }))}
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
              {m.authority_load_newer()}
            </Button>
          )
        }
      >
        {sentenceOf(error)} {outdated && m.authority_changes_kept()}
      </Notice>
      {newer.isError && <Notice>{sentenceOf(newer.error)}</Notice>}
    </>
  );
}
