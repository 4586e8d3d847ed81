import * as m from '#words/messages.js';
import { foldText } from '#contracts/fold-text.js';
import type { Settings } from '#platform/settings.js';
import { RequestInvalid } from '../../http/validation.js';

/** What is known of the person whose password it is to be. */
export interface PasswordOwner {
  username?: string | undefined;
  email?: string | undefined;
  firstname?: string | undefined;
  lastname?: string | undefined;
}

const MAX_COMMON = 10_000;
/** Signs around a common word that make it no better than the word. */
const MAX_AROUND = 8;
/** A shorter name is part of too many words. */
const SHORTEST_NAME = 3;
const SHORTEST_PART = 4;

const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Why a password is easy to guess, beyond the rules of the specification.
 * @returns a sentence for the person who chose it; undefined if nothing is known against it
 */
export async function weaknessOf(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const folded = fold(password);
  const names = namesOf(owner);
  if (names.some((name) => folded.includes(name) || withoutLookalikes(folded).includes(name))) {
    return m.password_with_own_name();
  }
  const common = await mostCommon();
  const word = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const forms = [folded, withoutLookalikes(folded)];
  if (folded.length - word.length <= MAX_AROUND) forms.push(word, withoutLookalikes(word));
  return forms.some((form) => common.has(form)) ? m.password_too_common() : undefined;
}

/**
 * Refuses a weak password where the installation is open to the public.
 * @param field that it came in
 * @throws RequestInvalid that names the field and the reason
 */
export async function refuseWeak(
  { NODE_ENV }: Pick<Settings, 'NODE_ENV'>,
  field: string,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  if (NODE_ENV !== 'production') return;
  const weakness = await weaknessOf(password, owner);
  if (weakness !== undefined)
    throw new RequestInvalid({ [field]: [m.password_weak_choose_another({ weakness })] });
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Loaded with the first password: most processes never need it. */
function mostCommon(): Promise<ReadonlySet<string>> {
  return (list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    // By rank, in small letters.
    return new Set(dictionary['passwords-common'].slice(0, MAX_COMMON).map(String));
  }));
}

function namesOf({ username = '', email = '', firstname = '', lastname = '' }: PasswordOwner): string[] {
  const [mailbox = ''] = email.split('@');
  const names = [username, mailbox, firstname, lastname].map(fold);
  const parts = names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u));
  return [
    ...[...names, fold(email)].filter((name) => name.length >= SHORTEST_NAME),
    ...parts.filter((part) => part.length >= SHORTEST_PART),
  ];
}

/** Without case and accents: "Łucja" and "lucja" are one name. */
function fold(text: string): string {
  return foldText(text.normalize('NFKC'));
}

function withoutLookalikes(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign);
}
