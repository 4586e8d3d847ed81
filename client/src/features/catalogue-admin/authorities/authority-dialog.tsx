import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path } from 'react-hook-form';
import { Button } from '../../../components/button.js';
import { Dialog, DialogButtons } from '../../../components/dialog.js';
import { Field } from '../../../components/field.js';
import { showFieldErrors } from '../../../lib/form-errors.js';
import styles from './authority-dialog.module.css';
import { AuthorityRefusal } from './authority-refusal.js';
import type { Authority } from './authority-table.js';

export interface AuthorityField<Body extends FieldValues> {
  name: Path<Body> & string;
  label: string;
  /** Shown while it is empty; the form enforces nothing more (specification, section 5). */
  required: string;
  type?: 'text' | 'tel' | 'url' | 'multiline';
}

/** What is sent: a new authority, or the changed one that was opened. */
export interface AuthoritySave<Body, Item> {
  body: Body;
  edited: Item | undefined;
}

/** What was saved, as a choice shows it. */
export interface Named {
  id: number;
  name: string;
}

interface AuthorityDialogProps<Body extends FieldValues, Item extends Authority> {
  /** For instance `Author`. */
  noun: string;
  fields: readonly AuthorityField<Body>[];
  /** What the form starts with. */
  initial: Body;
  /** The authority that is edited; none when one is added. */
  edited?: Item | undefined;
  save: UseMutationResult<Named, Error, AuthoritySave<Body, Item>>;
  /** Fetches the authority as it is now. */
  load: (id: number) => Promise<Item>;
  bodyOf: (authority: Item) => Body;
  onSaved: (saved: Named) => void;
  onClose: () => void;
}

/** Adds or edits an author, a genre or a publisher. Refused, it stays open with what was typed. */
export function AuthorityDialog<Body extends FieldValues, Item extends Authority>(
  props: AuthorityDialogProps<Body, Item>,
) {
  const { noun, fields, initial, save, onSaved, onClose } = props;
  /** As it was opened, or as it was loaded since. */
  const [edited, setEdited] = useState(props.edited);
  const form = useForm<Body>({ mode: 'onTouched', defaultValues: initial as DefaultValues<Body> });
  const { errors, isValid, isDirty } = form.formState;
  const title = `${props.edited ? 'Edit' : 'Add'} ${noun}`;
  const sending = useRef(false);

  const send = () => {
    if (sending.current) return;
    sending.current = true;
    save.mutate(
      { body: form.getValues(), edited },
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
  const submit = () => void form.handleSubmit(send)();
  const takeNewer = (newer: Item) => {
    const typed = form.getValues();
    const opened = form.formState.defaultValues as Body;
    const current = props.bodyOf(newer);
    setEdited(newer);
    save.reset();
    form.reset(current);
    for (const { name } of fields) {
      if (typed[name] !== opened[name])
        form.setValue(name, typed[name], { shouldDirty: true, shouldTouch: true, shouldValidate: true });
    }
  };
  // The button is disabled while the form is invalid, and then Enter does nothing by itself: it shows what is missing.
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isValid || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    submit();
  };

  return (
    <Dialog title={title} onClose={onClose} keep={isDirty || save.isPending}>
      <form
        className={styles.form}
        noValidate
        onKeyDown={onEnter}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {fields.map(({ name, label, required, type = 'text' }) => {
          const input = form.register(name, {
            validate: (text: string) => text.trim() !== '' || required,
          });
          return (
            <Field key={name} label={label} errors={[errors[name]?.message as string | undefined]}>
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
          load={props.edited && (() => props.load(props.edited?.id ?? 0))}
          onLoaded={takeNewer}
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!isValid} busy={save.isPending}>
            {title}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
