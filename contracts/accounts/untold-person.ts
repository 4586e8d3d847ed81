/** Of an admin who is made where nobody asks for more than a name: an admin fills it in later, in the list of readers. */
export const UNTOLD_PERSON = {
  firstname: 'Library',
  lastname: 'Administrator',
  dateOfBirth: '1900-01-01',
  gender: 'Other',
  country: 'Poland',
  city: '—',
  adress: '—',
  postalCode: '00-000',
} as const;
