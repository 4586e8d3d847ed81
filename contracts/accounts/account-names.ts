import * as m from '#words/messages.js';
import type { Reader, Role } from './account-views.js';

/** As people read them. */
export const ROLE_NAMES = {
  Reader: m.account_role_reader,
  Admin: m.account_role_admin,
  Auditor: m.account_role_auditor,
} satisfies Record<Role, () => string>;
export const GENDER_NAMES = {
  Male: m.account_gender_male,
  Female: m.account_gender_female,
  Other: m.account_gender_other,
} satisfies Record<Reader['gender'], () => string>;
