import { addressDetailsSchema, personalDetailsSchema } from '#contracts/accounts/account-requests.js';
import { COUNTRIES } from '#contracts/accounts/countries.js';

const EARLIEST_BIRTH = '1900-01-01';
const COUNTRY_NAMES = new Set(COUNTRIES.map(({ name }) => name));

/**
 * Rules that the wizard and the reader dialog leave to the server: the birth is in the past, the country is in the
 * list. At registration and when editing, these schemas replace the contract's.
 */
export const checkedPersonFields = {
  dateOfBirth: personalDetailsSchema.shape.dateOfBirth
    .refine((day) => day < new Date().toISOString().slice(0, 10), 'Date of Birth must be in the past.')
    .refine((day) => day >= EARLIEST_BIRTH, 'Date of Birth must be after 1900.'),
  country: addressDetailsSchema.shape.country.refine(
    (name) => name === '' || COUNTRY_NAMES.has(name),
    'Please choose a country from the list.',
  ),
};
