/** The rules of a password (specification, section 5) in one sentence. */
export const PASSWORD_HINT =
  'At least 6 characters, with a number, a lowercase letter, an uppercase letter and a special character.';
