/** What messages call the fields of a person: as their labels do, which a page with the wording as found has otherwise. */
export const FIELD_NAMES = {
  firstname: 'First name',
  lastname: 'Last name',
  dateOfBirth: 'Date of birth',
  postalCode: 'Postal code',
};
