import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { PersonalFields } from '../../domain/readers/person-fields.js';
import { personalFieldsSchema } from '../../domain/readers/person-form.js';
import { WizardForm } from './wizard-form.js';
import type { PersonalStep as Values } from './wizard-steps.js';

interface PersonalStepProps {
  values: Values;
  onDone: (values: Values) => void;
  onBack: (values: Values) => void;
}

export function PersonalStep({ values, onDone, onBack }: PersonalStepProps) {
  const form = useForm<Values>({
    resolver: zodResolver(personalFieldsSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  return (
    <WizardForm form={form} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <PersonalFields />
    </WizardForm>
  );
}
