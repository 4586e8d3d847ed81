import type { z } from 'zod';
import type { Allowed, Permission } from './permissions.js';

/** All that is known of a call. The route, the site's call, the API's description, the rights and the fuzz follow from it. */
interface Declared {
  may: readonly Allowed[];
  /** Those with one of these may also make it for somebody else, or about what is another's. */
  forOthers?: readonly Permission[];
  /** What stands in the path for `:name`. */
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The form field of a file: the body is then a multipart form. */
  upload?: string;
  /** The JSON of the answer, or the media type of a file. */
  answer: z.ZodType | `${string}/${string}`;
  /** All that the answer may be, where the query decides; `answer` is then what the site asks for. */
  forms?: z.ZodType;
  /** On success; 200 unless it is said. */
  status?: 200 | 201 | 202;
  /** It takes an `Idempotency-Key`: a repeat with the same key gets the first answer. */
  keyed?: true;
  /** The caller must have confirmed within the last minutes that it is them, by `POST Account/confirm`. */
  confirmed?: true;
  /** Open also to an account that has to add a second factor before anything else. */
  opensToEnrol?: true;
  /** It prints, takes an upload, or has a deadline of its own: the general one does not hold. */
  takesLong?: true;
  /** The log alone decides: it does not wait until the lists have all that was stored before. */
  decidedByLog?: true;
  /** Its heading in the API's description; the path's first part unless it is said. */
  tag?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type Call<Declaration extends Declared = Declared, Path extends string = string> = Declaration & {
  method: Method;
  path: Path;
};

/**
 * Declares a call: `call('GET StockTaking/:id', { … })`.
 * @param name the method, and the path below `/api/`
 */
export function call<const Path extends string, const Declaration extends Declared>(
  name: `${Method} ${Path}`,
  declaration: Declaration,
): Call<Declaration, Path> {
  const [method, path] = name.split(' ') as [Method, Path];
  return { ...declaration, method, path };
}

export function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'may' in value && 'method' in value;
}

/** Calls that belong together, by what they do: they are one module of the site. */
export function areCalls(value: unknown): value is Record<string, Call> {
  return typeof value === 'object' && value !== null && !isCall(value) && Object.values(value).some(isCall);
}

type Part = 'params' | 'query' | 'body';
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** What a handler is given of a request, once it is valid; of one of several calls, one of these. */
export type Taken<C extends Call> = C extends Call ? { [Name in Part & keyof C]: Parsed<C[Name]> } : never;

/** What a call answers the site. */
export type Answered<C extends Call> = C['answer'] extends z.ZodType ? z.output<C['answer']> : unknown;

/**
 * A value before it is parsed: whatever is absent or has a default may be left out. Of what could be anything before, such as a
 * number in an address, it is what it becomes.
 */
type Raw<In, Out> = Out extends readonly unknown[]
  ? In
  : {
      [Name in keyof Out as undefined extends RawField<In, Out, Name> ? never : Name]: RawField<
        In,
        Out,
        Name
      >;
    } & {
      [Name in keyof Out as undefined extends RawField<In, Out, Name> ? Name : never]?: RawField<
        In,
        Out,
        Name
      >;
    };
type RawField<In, Out, Name extends keyof Out> = Name extends keyof In
  ? unknown extends In[Name]
    ? Out[Name] | (null extends Out[Name] ? undefined : never)
    : In[Name]
  : Out[Name];
type RawPart<C extends Call, Name extends keyof C> = Name extends 'body'
  ? C extends { upload: string }
    ? FormData
    : RawOf<C[Name]>
  : RawOf<C[Name]>;
type RawOf<Schema> = Schema extends z.ZodType ? Raw<z.input<Schema>, z.output<Schema>> : never;

/** What a caller sends. A part of which everything may be left out may be left out itself. */
export type Sent<C extends Call> = {
  [Name in Part & keyof C as object extends RawPart<C, Name> ? never : Name]: RawPart<C, Name>;
} & {
  [Name in Part & keyof C as object extends RawPart<C, Name> ? Name : never]?: RawPart<C, Name>;
};
