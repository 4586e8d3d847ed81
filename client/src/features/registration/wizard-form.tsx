import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from '../../components/form/button.js';
import { Form } from '../../components/form/form.js';

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
  return (
    <Form form={form} busy={busy} enterExplains onSubmit={() => onDone(form.getValues())}>
      {children}
      <div className="flex flex-wrap gap-3 mt-2 to-480:[&>*]:flex-1">
        {onBack && <Button onClick={onBack}>Back</Button>}
        <Button
          type="submit"
          look="primary"
          className="ml-auto min-w-32"
          disabled={!form.formState.isValid}
          busy={busy}
        >
          {last ? 'Submit' : 'Next'}
        </Button>
      </div>
    </Form>
  );
}
