import * as m from '#words/messages.js';
import type { KeyboardEvent } from 'react';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { PasswordInput } from '../../components/form/password-input.js';
import { lateRules, useLightForm } from '../../components/form/use-light-form.js';
import { PASSWORD_HINT, useWeakness } from '../../domain/passwords/use-weakness.js';
import type { AccountValues } from './account-rules.js';

const rules = lateRules(async () => (await import('./account-rules.js')).checkedAccount);

export type RefusedAccount = Partial<Record<keyof AccountValues, readonly string[]>>;

interface AccountStepProps {
  values: AccountValues;
  /** What the server said about a field: it stays refused until it is changed. */
  refused: RefusedAccount;
  /** It is being checked whether name and address are free. */
  busy: boolean;
  onDone: (values: AccountValues) => void;
}

export function AccountStep({ values, refused, busy, onDone }: AccountStepProps) {
  const form = useLightForm({ initial: values, rules, refused, busy, onSubmit: onDone });
  const weakness = useWeakness(form.typed, form.found !== undefined && !form.found.password);
  // A button that is disabled keeps Enter from saying what is missing.
  const onEnter = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || form.isValid || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form className="flex flex-col gap-4" {...form.props} onKeyDown={onEnter}>
      <Field label={m.common_username()} errors={form.errorsOf('username')}>
        {(control) => (
          <input
            {...control}
            name="username"
            type="text"
            defaultValue={values.username}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label={m.common_email()} errors={form.errorsOf('email')}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            defaultValue={values.email}
            autoComplete="email"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label={m.password_field()}
        errors={form.errorsOf('password')}
        hint={PASSWORD_HINT}
        warning={weakness}
      >
        {(control) => (
          <PasswordInput
            {...control}
            name="password"
            defaultValue={values.password}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label={m.password_repeated()} errors={form.errorsOf('confirmPassword')}>
        {(control) => (
          <PasswordInput
            {...control}
            name="confirmPassword"
            defaultValue={values.confirmPassword}
            autoComplete="new-password"
          />
        )}
      </Field>
      <StepButtons isValid={form.isValid} busy={busy} />
    </form>
  );
}

interface StepButtonsProps {
  isValid: boolean;
  busy: boolean;
  onBack?: (() => void) | undefined;
  /** The last step submits; the others go on. */
  last?: boolean;
}

/** A step can be left forward only when it is valid (specification, section 4). */
export function StepButtons({ isValid, busy, onBack, last = false }: StepButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3 mt-2 to-480:[&>*]:flex-1">
      {onBack && <Button onClick={onBack}>{m.register_back()}</Button>}
      <Button type="submit" look="primary" className="ml-auto min-w-32" disabled={!isValid} busy={busy}>
        {last ? m.register_submit() : m.register_next()}
      </Button>
    </div>
  );
}
