import { useFormContext, useWatch } from 'react-hook-form';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import { labels } from '../labels.js';
import { GENDERS, type AddressFieldValues, type PersonalFieldValues } from './person-form.js';
import { Field } from '../../components/field.js';

/** Who a reader is: four fields of the form around them, in the registration and in the reader dialog. */
export function PersonalFields() {
  const { register, formState } = useFormContext<PersonalFieldValues>();
  const { errors } = formState;
  return (
    <>
      <Field label="Firstname" errors={[errors.firstname?.message]}>
        {(control) => <input {...control} {...register('firstname')} type="text" autoComplete="given-name" />}
      </Field>
      <Field label="Lastname" errors={[errors.lastname?.message]}>
        {(control) => <input {...control} {...register('lastname')} type="text" autoComplete="family-name" />}
      </Field>
      <Field label="Date of Birth" errors={[errors.dateOfBirth?.message]}>
        {(control) => <input {...control} {...register('dateOfBirth')} type="date" autoComplete="bday" />}
      </Field>
      <Field label="Gender" errors={[errors.gender?.message]}>
        {(control) => (
          <select {...control} {...register('gender')}>
            <option value="">Select Gender</option>
            {GENDERS.map((gender) => (
              <option key={gender}>{gender}</option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

/** Where a reader lives: the other four. */
export function AddressFields() {
  const { register, formState } = useFormContext<AddressFieldValues>();
  const { errors } = formState;
  return (
    <>
      <CountryField />
      <Field label="Address" errors={[errors.adress?.message]}>
        {(control) => (
          <input {...control} {...register('adress')} type="text" autoComplete="street-address" />
        )}
      </Field>
      <Field label="City" errors={[errors.city?.message]}>
        {(control) => <input {...control} {...register('city')} type="text" autoComplete="address-level2" />}
      </Field>
      <Field label="Postal Code" errors={[errors.postalCode?.message]} hint="For example 00-950">
        {(control) => (
          <input {...control} {...register('postalCode')} type="text" autoComplete="postal-code" />
        )}
      </Field>
    </>
  );
}

function CountryField() {
  const { control: form, register, formState } = useFormContext<AddressFieldValues>();
  const error = formState.errors.country;
  const chosen = useWatch({ control: form, name: 'country' });
  // An account that did not come through the wizard may name a country that the list has not.
  const another = chosen !== '' && !COUNTRIES.some(({ name }) => name === chosen);
  return (
    <Field
      label="Country"
      errors={[error?.type === 'server' ? error.message : error && labels.countryRequired]}
    >
      {(control) => (
        <select {...control} {...register('country')} autoComplete="country-name">
          <option value="">Select Country</option>
          {another && <option>{chosen}</option>}
          {COUNTRIES.map((country) => (
            <option key={country.code} value={country.name}>
              {country.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
