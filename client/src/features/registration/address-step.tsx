import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { AddressFields } from '../../domain/readers/person-fields.js';
import { addressFieldsSchema } from '../../domain/readers/person-form.js';
import { WizardForm } from './wizard-form.js';
import type { AddressStep as Values } from './wizard-steps.js';

interface AddressStepProps {
  values: Values;
  busy: boolean;
  onDone: (values: Values) => void;
  onBack: (values: Values) => void;
}

export function AddressStep({ values, busy, onDone, onBack }: AddressStepProps) {
  const form = useForm<Values>({
    resolver: zodResolver(addressFieldsSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  return (
    <WizardForm form={form} last busy={busy} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <AddressFields />
    </WizardForm>
  );
}
