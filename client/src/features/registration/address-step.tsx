import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { Field } from '../../components/field.js';
import { labels } from '../../lib/labels.js';
import { WizardForm } from './wizard-form.js';
import { addressStepSchema, type AddressStep as Values } from './wizard-steps.js';

interface AddressStepProps {
  values: Values;
  busy: boolean;
  onDone: (values: Values) => void;
  onBack: (values: Values) => void;
}

export function AddressStep({ values, busy, onDone, onBack }: AddressStepProps) {
  const form = useForm<Values>({
    resolver: zodResolver(addressStepSchema),
    mode: 'onTouched',
    defaultValues: values,
  });
  const { errors } = form.formState;
  return (
    <WizardForm form={form} last busy={busy} onDone={onDone} onBack={() => onBack(form.getValues())}>
      <Field label="Country" errors={[errors.country && labels.countryRequired]}>
        {(control) => (
          <select {...control} {...form.register('country')} autoComplete="country-name">
            <option value="">Select Country</option>
            {COUNTRIES.map((country) => (
              <option key={country.code} value={country.name}>
                {country.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Address" errors={[errors.adress?.message]}>
        {(control) => (
          <input {...control} {...form.register('adress')} type="text" autoComplete="street-address" />
        )}
      </Field>
      <Field label="City" errors={[errors.city?.message]}>
        {(control) => (
          <input {...control} {...form.register('city')} type="text" autoComplete="address-level2" />
        )}
      </Field>
      <Field label="Postal Code" errors={[errors.postalCode?.message]} hint="For example 00-950">
        {(control) => (
          <input {...control} {...form.register('postalCode')} type="text" autoComplete="postal-code" />
        )}
      </Field>
    </WizardForm>
  );
}
