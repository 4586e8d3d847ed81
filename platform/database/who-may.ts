import { BUILT_IN, ROLES, type Permission } from '#contracts/permissions.js';

/** In SQL, of a row of the table `account`: whether its sets, those of the library too, allow any of these. */
export function whoMay(...any: readonly Permission[]): string {
  const builtIn = ROLES.filter((role) => BUILT_IN[role].permissions.some((each) => any.includes(each)));
  return `(account.roles && '{${builtIn.join(',')}}' or exists (select from permission_set
    where permission_set.id::text = any(account.roles) and removed_at is null and permissions && '{${any.join(',')}}'))`;
}
