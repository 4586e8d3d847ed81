import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../components/field.js';
import { WizardForm } from './wizard-form.js';
import { GENDERS, personalStepSchema, type PersonalStep as Values } from './wizard-steps.js';

interface PersonalStepProps {
  values: Values;
  onDone: (values: Values) => void;
  onBack: (values: Values) => void;
}

export function PersonalStep({ values, onDone, onBack }: PersonalStepProps) {
  const form = useForm<Values>({
    resolver: zodResolver(personalStepSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  const { errors } = form.formState;
  return (
    <WizardForm form={form} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <Field label="Firstname" errors={[errors.firstname?.message]}>
        {(control) => (
          <input {...control} {...form.register('firstname')} type="text" autoComplete="given-name" />
        )}
      </Field>
      <Field label="Lastname" errors={[errors.lastname?.message]}>
        {(control) => (
          <input {...control} {...form.register('lastname')} type="text" autoComplete="family-name" />
        )}
      </Field>
      <Field label="Date of Birth" errors={[errors.dateOfBirth?.message]}>
        {(control) => (
          <input {...control} {...form.register('dateOfBirth')} type="date" autoComplete="bday" />
        )}
      </Field>
      <Field label="Gender" errors={[errors.gender?.message]}>
        {(control) => (
          <select {...control} {...form.register('gender')}>
            <option value="">Select Gender</option>
            {GENDERS.map((gender) => (
              <option key={gender}>{gender}</option>
            ))}
          </select>
        )}
      </Field>
    </WizardForm>
  );
}
