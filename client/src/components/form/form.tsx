import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import {
  FormProvider,
  useFormContext,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { UNREACHABLE } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { DateInput } from './date-input.js';
import { Field } from './field.js';

interface FormProps<Values extends FieldValues, Parsed> {
  form: UseFormReturn<Values, unknown, Parsed>;
  onSubmit: (values: Parsed) => void;
  /** What was submitted is on its way: nothing more is taken. */
  busy?: boolean;
  /** For a form whose button is disabled while it is invalid: Enter then shows what is missing. */
  enterExplains?: boolean;
  children: ReactNode;
}

/** The frame of a form; its fields find the form by its context. */
export function Form<Values extends FieldValues, Parsed>(props: FormProps<Values, Parsed>) {
  const { form, onSubmit, busy = false, enterExplains = false, children } = props;
  // Its rules may have to be fetched yet.
  const submit = () =>
    form
      .handleSubmit(onSubmit)()
      .catch(() => notify.error(UNREACHABLE));
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || form.formState.isValid || !(event.target instanceof HTMLInputElement))
      return;
    event.preventDefault();
    void submit();
  };
  return (
    <FormProvider {...form}>
      <form
        className="flex flex-col gap-4 [&_textarea]:resize-y"
        noValidate
        onKeyDown={enterExplains ? onEnter : undefined}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        {children}
      </form>
    </FormProvider>
  );
}

interface TextFieldProps<Values extends FieldValues> extends ComponentProps<'input'> {
  name: FieldPath<Values>;
  label: string;
  hint?: string;
  /** In place of what the form found. */
  errors?: readonly (string | undefined)[];
  /** Fields that are checked again when this one changes. */
  deps?: FieldPath<Values>[];
}

/** A field of one line in the form around it. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { name, label, hint, errors, deps, ...input } = props;
  const { register, formState, getFieldState } = useFormContext<Values>();
  const { error } = getFieldState(name, formState);
  const Input = input.type === 'date' ? DateInput : 'input';
  return (
    <Field label={label} errors={errors ?? [error?.message]} {...(hint !== undefined && { hint })}>
      {(control) => <Input {...control} {...register(name, deps && { deps })} {...input} />}
    </Field>
  );
}
