import * as m from '#words/messages.js';

/** What messages call the fields of a person: as their labels do. */
export const FIELD_NAMES = {
  firstname: m.common_firstname,
  lastname: m.common_lastname,
  dateOfBirth: m.common_date_of_birth,
  postalCode: m.common_postal_code,
};
