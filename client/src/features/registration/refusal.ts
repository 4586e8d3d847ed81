import type { RequestError } from '../../lib/api/request-error.js';
import { EMPTY_WIZARD, type AccountStep } from './wizard-steps.js';

export interface Refusal {
  /** The step to go back to. */
  step: number;
  /** What to show under the fields of the first step. */
  messages: Partial<Record<keyof AccountStep, string>>;
}

/** Where the person can mend what the server refused; null where no field is named. */
export function stepOfRefusal(error: RequestError): Refusal | null {
  const detail = error.problem?.detail ?? '';
  if (error.problem?.code === 'UsernameTaken') return { step: 0, messages: { username: detail } };
  if (error.problem?.code === 'EmailTaken') return { step: 0, messages: { email: detail } };
  const fields = Object.entries(error.fieldErrors ?? {});
  if (fields.length === 0) return null;
  const steps = [EMPTY_WIZARD.account, EMPTY_WIZARD.personal, EMPTY_WIZARD.address];
  const step = steps.findIndex((values) => fields.some(([name]) => name in values));
  const messages = Object.fromEntries(
    fields.flatMap(([name, [message]]) => (name in EMPTY_WIZARD.account && message ? [[name, message]] : [])),
  );
  // Only the first step's own rules can differ from the server's; for the others the toast is enough.
  return { step: Math.max(0, step), messages };
}
