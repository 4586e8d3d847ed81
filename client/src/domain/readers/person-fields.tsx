import { useFormContext, useWatch } from 'react-hook-form';
import { GENDER_NAMES } from '#contracts/accounts/account-names.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';
import * as m from '#words/messages.js';
import { Field } from '../../components/form/field.js';
import { TextField } from '../../components/form/form.js';
import { z } from 'zod';
import { COUNTRY_NAMES } from './country-names.js';
import { addressDetailsSchema, personalDetailsSchema } from '#contracts/accounts/account-requests.js';

const GENDERS = personalDetailsSchema.shape.gender.options;

/** The personal fields of a form: while it is being filled in, the gender may still be the empty choice. */
export const personalFieldsSchema = personalDetailsSchema.extend({
  gender: z.string().refine((gender) => (GENDERS as readonly string[]).includes(gender), {
    error: m.account_gender_required,
  }),
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
        label={m.common_firstname()}
        type="text"
        autoComplete="given-name"
      />
      <TextField<PersonalFieldValues>
        name="lastname"
        label={m.common_lastname()}
        type="text"
        autoComplete="family-name"
      />
      <TextField<PersonalFieldValues>
        name="dateOfBirth"
        label={m.common_date_of_birth()}
        type="date"
        autoComplete="bday"
      />
      <Field label={m.account_gender()} errors={[errors.gender?.message]}>
        {(control) => (
          <select {...control} {...register('gender')}>
            <option value="">{m.common_select_gender()}</option>
            {GENDERS.map((gender) => (
              <option key={gender} value={gender}>
                {GENDER_NAMES[gender]()}
              </option>
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
        label={m.account_address()}
        type="text"
        autoComplete="street-address"
      />
      <TextField<AddressFieldValues>
        name="city"
        label={m.account_city()}
        type="text"
        autoComplete="address-level2"
      />
      <TextField<AddressFieldValues>
        name="postalCode"
        label={m.common_postal_code()}
        hint={m.account_postal_code_example()}
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
      label={m.account_reader_kind()}
      hint={m.account_reader_kind_hint()}
      errors={[formState.errors.kind?.message]}
    >
      {(control) => (
        <select {...control} {...register('kind')}>
          {READER_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {READER_KIND_LABELS[kind]()}
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
  const another = chosen !== '' && !COUNTRY_NAMES.has(chosen);
  return (
    <Field
      label={m.account_country()}
      errors={[error?.type === 'server' ? error.message : error && m.common_country_required()]}
    >
      {(control) => (
        <select {...control} {...register('country')} autoComplete="country-name">
          <option value="">{m.common_select_country()}</option>
          {another && <option>{chosen}</option>}
          {[...COUNTRY_NAMES].map(([stored, shown]) => (
            <option key={stored} value={stored}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
