import type { z } from 'zod';

/**
 * The message of a validation error if the contract has none of its own. Without it the response would speak of types
 * and undefined.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null
        ? 'This is required.'
        : `This must be ${TYPES[issue.expected] ?? 'something else'}.`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_value':
      return `Please use one of these: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This is not in the right format.';
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return `Unknown: ${issue.keys.join(', ')}.`;
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'This is not valid.';
  }
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  date: 'a date',
};

const FORMATS: Partial<Record<string, string>> = {
  uuid: 'This is not a valid id.',
  email: 'Please enter a valid email address.',
  url: 'Please enter a valid web address.',
  date: 'Please enter a date as yyyy-MM-dd.',
  datetime: 'Please enter a time as yyyy-MM-ddTHH:mm:ssZ.',
};

type Least = Pick<z.core.$ZodIssueTooSmall, 'origin' | 'minimum'> & { inclusive?: boolean | undefined };
type Most = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum'> & { inclusive?: boolean | undefined };

function tooSmall({ origin, minimum, inclusive }: Least): string {
  if (origin === 'string') return minimum === 1 ? 'This is required.' : `At least ${minimum} characters.`;
  if (origin === 'array')
    return minimum === 1 ? 'At least one is needed.' : `At least ${minimum} are needed.`;
  return inclusive === false ? `This must be more than ${minimum}.` : `This must be at least ${minimum}.`;
}

function tooBig({ origin, maximum, inclusive }: Most): string {
  if (origin === 'string') return `At most ${maximum} characters.`;
  if (origin === 'array') return `At most ${maximum} are allowed.`;
  return inclusive === false ? `This must be less than ${maximum}.` : `This may be at most ${maximum}.`;
}
