import type { JobData } from '#platform/jobs/job-map.js';
import * as m from '#words/messages.js';
import { moment, renderLetter, type Addressee, type RenderedLetter } from './letter.js';

/**
 * The letter that asks a new reader to confirm their email address.
 * @param link carries the one-time token
 */
export function confirmEmailLetter(to: Addressee & { link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: m.letter_confirm_subject(),
    heading: m.letter_confirm_heading(),
    paragraphs: [m.letter_confirm_what_to_do({ library: to.library })],
    button: { label: m.letter_confirm_button(), url: to.link },
    notes: [m.letter_confirm_link_lasts(), m.letter_confirm_not_you()],
  });
}

/**
 * The letter with the link that sets a new password.
 * @param link carries the one-time token
 */
export function resetPasswordLetter(to: Addressee & { link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: m.letter_choose_new_password(),
    heading: m.letter_reset_heading(),
    paragraphs: [m.letter_reset_what_to_do({ library: to.library })],
    button: { label: m.letter_choose_new_password(), url: to.link },
    notes: [m.letter_reset_link_lasts(), m.letter_reset_not_you()],
  });
}

/**
 * The letter to somebody whom a librarian has registered.
 * @param link carries the one-time token
 */
export function invitationLetter(to: Addressee & { username: string; link: string }): RenderedLetter {
  return renderLetter(to, {
    subject: m.letter_invitation_subject(),
    heading: m.letter_invitation_heading(),
    paragraphs: [m.letter_invitation_what_to_do({ library: to.library, username: to.username })],
    button: { label: m.letter_invitation_button(), url: to.link },
    notes: [m.letter_invitation_link_lasts(), m.letter_invitation_not_asked()],
  });
}

/**
 * Reports a changed password. It carries no token: the link leads to the page where a new password can be
 * requested.
 */
export function passwordChangedLetter(
  to: Addressee & {
    changedAt: Date;
    /** The library's. */
    timeZone: string;
    /** Signed out elsewhere alone. */
    elsewhere?: boolean;
    link: string;
  },
): RenderedLetter {
  const changed = { library: to.library, at: moment(to.changedAt, to.timeZone) };
  return renderLetter(to, {
    subject: m.letter_password_changed_subject(),
    paragraphs: [
      to.elsewhere === true
        ? m.letter_password_changed_elsewhere(changed)
        : m.letter_password_changed_everywhere(changed),
      m.letter_password_changed_not_you(),
    ],
    button: { label: m.letter_not_me_button(), url: to.link },
    notes: [m.letter_if_it_was_you()],
  });
}

/** Reports that somebody guesses the password, or, knowing it, codes of the app. It carries no token: the link leads to where a new one can be asked for. */
export function passwordGuessingLetter(
  to: Addressee & {
    at: Date;
    /** The library's. */
    timeZone: string;
    secret: 'password' | 'code';
    link: string;
  },
): RenderedLetter {
  const isPassword = to.secret === 'password';
  const tried = { library: to.library, at: moment(to.at, to.timeZone) };
  return renderLetter(to, {
    subject: m.letter_guessing_subject(),
    paragraphs: isPassword
      ? [m.letter_guessing_passwords(tried), m.letter_guessing_passwords_effect()]
      : [m.letter_guessing_codes(tried), m.letter_guessing_codes_effect()],
    button: { label: m.letter_choose_new_password(), url: to.link },
    notes: [...(isPassword ? [m.letter_guessing_passwords_advice()] : []), m.letter_guessing_daily()],
  });
}

type Change = JobData<'mail', 'second-factor-changed'>['change'];

/** What happened, as a subject and in a sentence that goes on with the time. */
const WORDS: Record<Change, { subject: () => string; happened: () => string }> = {
  'code-app-added': { subject: m.letter_code_app_added_subject, happened: m.letter_code_app_added },
  'code-app-removed': { subject: m.letter_code_app_removed_subject, happened: m.letter_code_app_removed },
  'passkey-added': { subject: m.letter_passkey_added_subject, happened: m.letter_passkey_added },
  'passkey-removed': { subject: m.letter_passkey_removed_subject, happened: m.letter_passkey_removed },
  'recovery-codes-renewed': {
    subject: m.letter_recovery_codes_renewed_subject,
    happened: m.letter_recovery_codes_renewed,
  },
  'recovery-code-used': {
    subject: m.letter_recovery_code_used_subject,
    happened: m.letter_recovery_code_used,
  },
  reset: { subject: m.letter_second_factor_reset_subject, happened: m.letter_second_factor_reset },
};

/** Tells the owner that something about their second factor changed. It carries no token. */
export function secondFactorChangedLetter(
  to: Addressee & {
    change: Change;
    at: Date;
    /** The library's. */
    timeZone: string;
    site: string;
  },
): RenderedLetter {
  const { subject, happened } = WORDS[to.change];
  return renderLetter(to, {
    subject: subject(),
    paragraphs: [
      `${happened()} ${m.letter_second_factor_when({ library: to.library, at: moment(to.at, to.timeZone) })}`,
      m.letter_second_factor_not_you(),
    ],
    button: { label: m.letter_not_me_button(), url: `${to.site}/#/forgot-password` },
    notes: [m.letter_if_it_was_you()],
  });
}
