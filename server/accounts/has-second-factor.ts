/** In SQL, of a row of the table `account`: whether the account has a second factor. */
export const HAS_SECOND_FACTOR = `(
  exists (select from totp where totp.account_id = account.id and totp.confirmed_at is not null)
  or exists (select from passkey where passkey.account_id = account.id))`;
