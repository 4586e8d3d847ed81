import { z } from 'zod';

/** What a harvester is told instead of what it asked for, by the codes of OAI-PMH 2.0, and in English as the protocol is. */
export class OaiError extends Error {
  constructor(
    readonly code:
      | 'badArgument'
      | 'badResumptionToken'
      | 'badVerb'
      | 'cannotDisseminateFormat'
      | 'idDoesNotExist'
      | 'noRecordsMatch'
      | 'noSetHierarchy',
    message: string,
  ) {
    super(message);
  }
}

/** A day, or a second in UTC. */
const moment = z
  .union([z.iso.date(), z.iso.datetime({ precision: 0 })])
  .refine((text) => !text.startsWith('0000'), 'there was no such year');
const identifier = z.string().regex(/^[a-z][a-z\d+.-]*:[\w.~!*'();:@&=+$,/?-]+$/i);
const metadataPrefix = z.string().regex(/^[\w.!~*'()-]+$/);
const set = z.string().regex(/^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/);

/** What of the records is asked for. */
const selection = z
  .strictObject({ metadataPrefix, from: moment.optional(), until: moment.optional(), set: set.optional() })
  .refine(
    ({ from, until }) =>
      from === undefined || until === undefined || (from.length === until.length && from <= until),
    'from is later than until, or of another granularity',
  );
export type Selection = z.infer<typeof selection>;

const nothing = z.strictObject({});
/** What each verb takes. */
const VERBS = {
  Identify: nothing,
  ListMetadataFormats: z.strictObject({ identifier: identifier.optional() }),
  ListSets: nothing,
  ListIdentifiers: selection,
  ListRecords: selection,
  GetRecord: z.strictObject({ identifier, metadataPrefix }),
};
/** What verbs take instead that answer with a list. */
const continued = z.strictObject({ resumptionToken: z.string().min(1) });
const LISTS = ['ListSets', 'ListIdentifiers', 'ListRecords'];
const verbSchema = z.enum(Object.keys(VERBS) as [keyof typeof VERBS]);

/** A verb with what it takes. */
export interface OaiRequest {
  verb: keyof typeof VERBS;
  given: Partial<Selection & z.infer<(typeof VERBS)['GetRecord']> & z.infer<typeof continued>>;
}

/**
 * Reads what was asked.
 * @throws OaiError badVerb, badArgument
 */
export function readRequest(asked: URLSearchParams): OaiRequest {
  const { verb: named, ...arguments_ } = Object.fromEntries(asked);
  const { data: verb } = verbSchema.safeParse(named);
  if (verb === undefined || asked.getAll('verb').length > 1) {
    throw new OaiError('badVerb', `verb is one of ${verbSchema.options.join(', ')}`);
  }
  if (asked.size > Object.keys(arguments_).length + 1) {
    throw new OaiError('badArgument', 'an argument is repeated');
  }
  const isContinued = 'resumptionToken' in arguments_ && LISTS.includes(verb);
  const { data: given, error } = (isContinued ? continued : VERBS[verb]).safeParse(arguments_);
  if (error) {
    const reasons = error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new OaiError('badArgument', reasons.join('; '));
  }
  return { verb, given: given ?? {} };
}

const place = z.strictObject({ verb: verbSchema, selection, after: z.int().min(0).max(2_147_483_647) });

/**
 * Where a list goes on after the book of a number: with all that was asked for, so that nothing of it is kept here, and it is good at
 * any server and after any restart.
 */
export type Place = z.infer<typeof place>;

export const tokenOf = (next: Place): string => Buffer.from(JSON.stringify(next)).toString('base64url');

/** @throws OaiError badResumptionToken */
export function placeOf(verb: string, token: string): Place {
  const text = Buffer.from(token, 'base64url').toString();
  const { data } = place.safeParse(jsonOf(text));
  if (data?.verb !== verb) throw new OaiError('badResumptionToken', 'no token of ours for this verb');
  return data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not made here: it is refused like any other.
    return undefined;
  }
}
