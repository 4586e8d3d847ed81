import * as m from '#words/messages.js';
import type { Reader } from './reader.js';
import type { Permission, Role } from '../permissions.js';

/** As people read them. */
export const ROLE_NAMES = {
  Reader: m.account_role_reader,
  Librarian: m.account_role_librarian,
  Cataloguer: m.account_role_cataloguer,
  Auditor: m.account_role_auditor,
  Admin: m.account_role_admin,
} satisfies Record<Role, () => string>;
/** What each allows; `waive` up to a limit, of which `waiverLimitText` speaks. */
export const PERMISSION_NAMES = {
  desk: m.permission_desk,
  queue: m.permission_queue,
  holds: m.permission_holds,
  readers: m.permission_readers,
  readerFiles: m.permission_reader_files,
  fees: m.permission_fees,
  waive: m.permission_waive,
  till: m.permission_till,
  stocktaking: m.permission_stocktaking,
  books: m.permission_books,
  copies: m.permission_copies,
  authorities: m.permission_authorities,
  duplicates: m.permission_duplicates,
  imports: m.permission_imports,
  printing: m.permission_printing,
  lists: m.permission_lists,
  searches: m.permission_searches,
  audit: m.permission_audit,
  insight: m.permission_insight,
  rules: m.permission_rules,
  changeRules: m.permission_change_rules,
  library: m.permission_library,
  webhooks: m.permission_webhooks,
  devices: m.permission_devices,
  system: m.permission_system,
  roles: m.permission_roles,
} satisfies Record<Permission, () => string>;
export const GENDER_NAMES = {
  Male: m.account_gender_male,
  Female: m.account_gender_female,
  Other: m.account_gender_other,
} satisfies Record<Reader['gender'], () => string>;
