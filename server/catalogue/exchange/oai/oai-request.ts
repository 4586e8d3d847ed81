import { z } from 'zod';

/** By the words of OAI-PMH 2.0. */
export type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noRecordsMatch'
  | 'noSetHierarchy';

/** What a harvester is told instead of what it asked for, in English as the protocol is. */
export class OaiError extends Error {
  constructor(
    readonly code: OaiErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A day, or a second in UTC. */
const moment = z.union([z.iso.date(), z.iso.datetime({ precision: 0 })]);
const identifier = z.string().regex(/^[a-z][a-z\d+.-]*:[\w.~!*'();:@&=+$,/?-]+$/i);
const metadataPrefix = z.string().regex(/^[\w.!~*'()-]+$/);
const set = z.string().regex(/^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/);

const isInOrder = ({ from, until }: { from?: string | undefined; until?: string | undefined }) =>
  from === undefined || until === undefined || (from.length === until.length && from <= until);

/** What of the records is asked for. */
export const selectionSchema = z
  .strictObject({ metadataPrefix, from: moment.optional(), until: moment.optional(), set: set.optional() })
  .refine(isInOrder, 'from is later than until, or of another granularity');
export type AskedSelection = z.infer<typeof selectionSchema>;

const nothing = z.strictObject({});
const ofRecord = z.strictObject({ identifier, metadataPrefix });
const continued = z.strictObject({ resumptionToken: z.string().min(1) });

/** What each verb takes; those that answer with a list take a token instead. */
const VERBS = {
  Identify: nothing,
  ListMetadataFormats: z.strictObject({ identifier: identifier.optional() }),
  ListSets: nothing,
  ListIdentifiers: selectionSchema,
  ListRecords: selectionSchema,
  GetRecord: ofRecord,
};
const LISTS: readonly string[] = ['ListSets', 'ListIdentifiers', 'ListRecords'];
const verbSchema = z.enum(Object.keys(VERBS) as [keyof typeof VERBS]);

/** A verb with what it was given, every argument once and as the protocol writes it. */
export type OaiRequest =
  | { verb: 'Identify' | 'ListSets' }
  | { verb: 'ListMetadataFormats'; identifier?: string }
  | ({ verb: 'ListIdentifiers' | 'ListRecords' } & AskedSelection)
  | ({ verb: 'GetRecord' } & z.infer<typeof ofRecord>)
  | { verb: 'ListSets' | 'ListIdentifiers' | 'ListRecords'; resumptionToken: string };

/**
 * Reads what was asked.
 * @throws OaiError badVerb, badArgument
 */
export function readRequest(asked: URLSearchParams): OaiRequest {
  const { verb, ...given } = Object.fromEntries(asked);
  const known = verbSchema.safeParse(verb);
  if (!known.success || asked.getAll('verb').length > 1) {
    throw new OaiError('badVerb', `verb is one of ${verbSchema.options.join(', ')}`);
  }
  if ([...asked.keys()].length > Object.keys(given).length + 1) {
    throw new OaiError('badArgument', 'an argument is repeated');
  }
  const isContinued = 'resumptionToken' in given && LISTS.includes(known.data);
  const { success, error, data } = (isContinued ? continued : VERBS[known.data]).safeParse(given);
  if (!success) {
    const reasons = error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw new OaiError('badArgument', reasons.join('; '));
  }
  return { verb: known.data, ...data } as OaiRequest;
}
