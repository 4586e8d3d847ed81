import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { RequestError } from './api/request-error.js';

/** Shows the server's messages under their fields. False when the refusal names none of this form's fields. */
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fields: readonly FieldPath<Values>[],
): boolean {
  if (!(error instanceof RequestError)) return false;
  const named = fields.filter((field) => error.fieldErrors?.[field]?.length);
  named.forEach((field, index) => {
    const message = error.fieldErrors?.[field]?.[0] ?? '';
    form.setError(field, { type: 'server', message }, { shouldFocus: index === 0 });
  });
  return named.length > 0;
}
