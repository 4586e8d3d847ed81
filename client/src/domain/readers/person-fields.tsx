import { useFormContext, useWatch } from 'react-hook-form';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';
import { labels } from '../labels.js';
import { Field } from '../../components/form/field.js';
import { TextField } from '../../components/form/form.js';
import { z } from 'zod';
import { addressDetailsSchema, personalDetailsSchema } from '#contracts/accounts/account-requests.js';

const GENDERS: readonly string[] = personalDetailsSchema.shape.gender.options;

/** The personal fields of a form: while it is being filled in, the gender may still be the empty choice. */
export const personalFieldsSchema = personalDetailsSchema.extend({
  gender: z.string().refine((gender) => GENDERS.includes(gender), 'Gender is required'),
});
export type PersonalFieldValues = z.infer<typeof personalFieldsSchema>;

export const addressFieldsSchema = addressDetailsSchema;
export type AddressFieldValues = z.infer<typeof addressFieldsSchema>;

/** Who a reader is: four fields of the form around them, in the registration and in the reader dialog. */
export function PersonalFields() {
  const { register, formState } = useFormContext<PersonalFieldValues>();
  const { errors } = formState;
  return (
    <>
      <TextField<PersonalFieldValues>
        name="firstname"
        label={labels.firstname}
        type="text"
        autoComplete="given-name"
      />
      <TextField<PersonalFieldValues>
        name="lastname"
        label={labels.lastname}
        type="text"
        autoComplete="family-name"
      />
      <TextField<PersonalFieldValues>
        name="dateOfBirth"
        label={labels.dateOfBirth}
        type="date"
        autoComplete="bday"
      />
      <Field label="Gender" errors={[errors.gender?.message]}>
        {(control) => (
          <select {...control} {...register('gender')}>
            <option value="">{labels.selectGender}</option>
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
  return (
    <>
      <CountryField />
      <TextField<AddressFieldValues>
        name="adress"
        label="Address"
        type="text"
        autoComplete="street-address"
      />
      <TextField<AddressFieldValues> name="city" label="City" type="text" autoComplete="address-level2" />
      <TextField<AddressFieldValues>
        name="postalCode"
        label={labels.postalCode}
        hint="For example 00-950"
        type="text"
        autoComplete="postal-code"
      />
    </>
  );
}

/** By which rules a reader borrows. */
export function KindField() {
  const { register, formState } = useFormContext<Pick<Reader, 'kind'>>();
  return (
    <Field
      label="Kind of reader"
      hint="Some rules depend on it. Current loans stay as they are."
      errors={[formState.errors.kind?.message]}
    >
      {(control) => (
        <select {...control} {...register('kind')}>
          {READER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {READER_KIND_LABELS[kind]}
            </option>
          ))}
        </select>
      )}
    </Field>
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
          <option value="">{labels.selectCountry}</option>
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
