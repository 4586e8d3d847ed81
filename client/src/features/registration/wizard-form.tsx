import type { KeyboardEvent, ReactNode } from 'react';
import { FormProvider, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../components/button.js';
import styles from './registration-page.module.css';

interface WizardFormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  onDone: (values: Values) => void;
  onBack?: (() => void) | undefined;
  /** The last step submits; the others go on. */
  last?: boolean;
  busy?: boolean;
  children: ReactNode;
}

/** The frame of a step: it can be left forward only when it is valid (specification, section 4). */
export function WizardForm<Values extends FieldValues>(props: WizardFormProps<Values>) {
  const { form, onDone, onBack, last = false, busy = false, children } = props;
  const submit = form.handleSubmit((_, event) => {
    event?.preventDefault();
    onDone(form.getValues());
  });
  // The button is disabled while the step is invalid, and then Enter does nothing by itself: it shows what is missing.
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || form.formState.isValid || !(event.target instanceof HTMLInputElement))
      return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className={styles.form}
      noValidate
      onKeyDown={onEnter}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit(event);
      }}
    >
      <FormProvider {...form}>{children}</FormProvider>
      <div className={styles.steps}>
        {onBack && <Button onClick={onBack}>Back</Button>}
        <Button
          type="submit"
          look="primary"
          className={styles.next}
          disabled={!form.formState.isValid}
          busy={busy}
        >
          {last ? 'Submit' : 'Next'}
        </Button>
      </div>
    </form>
  );
}
