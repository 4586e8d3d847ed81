import type { z } from 'zod';
import * as m from '#words/messages.js';

/**
 * The message of a validation error if the contract has none of its own. Without it the response would speak of types
 * and undefined.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? m.error_required()
        : m.error_type({ type: issue.expected });
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_value':
      return m.error_choice({ values: issue.values.map(String).join(', ') });
    case 'invalid_format':
      return m.error_format({ format: issue.format });
    case 'not_multiple_of':
      return m.error_multiple({ divisor: issue.divisor });
    case 'unrecognized_keys':
      return m.error_unknown_keys({ keys: issue.keys.join(', ') });
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return m.error_invalid();
  }
}

type Least = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum'> & { inclusive?: boolean | undefined };
type Most = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum'> & { inclusive?: boolean | undefined };

function tooSmall({ origin, minimum: least, inclusive }: Least): string {
  const minimum = Number(least);
  if (origin === 'string') return minimum === 1 ? m.error_required() : m.error_few_characters({ minimum });
  if (origin === 'array') return minimum === 1 ? m.error_none() : m.error_few({ minimum });
  return inclusive === false ? m.error_not_above({ minimum }) : m.error_below({ minimum });
}

function tooBig({ origin, maximum: most, inclusive }: Most): string {
  const maximum = Number(most);
  if (origin === 'string') return m.common_at_most_characters({ most: maximum });
  if (origin === 'array') return m.error_many({ maximum });
  return inclusive === false ? m.error_not_below({ maximum }) : m.error_above({ maximum });
}
