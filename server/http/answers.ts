import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';

export const ANSWERS = 'answers';
export const MULTIPART = 'multipart';

/** What a handler answers, for the description of the API. */
export type AnswerDescription =
  | { schema: z.ZodType; status?: number }
  /** A file of this media type. */
  | { mediaType: string; status?: number };

/**
 * What the handler answers when it succeeds.
 * @param status where it is none of Nest's own (201 for a POST, 200 for others) nor named by `@HttpCode`
 */
export const Answers = (schema: z.ZodType, status?: number) =>
  SetMetadata(ANSWERS, { schema, ...(status !== undefined && { status }) } satisfies AnswerDescription);

/** The handler answers a file of this media type. */
export const AnswersFile = (mediaType: string, status?: number) =>
  SetMetadata(ANSWERS, { mediaType, ...(status !== undefined && { status }) } satisfies AnswerDescription);

/** A form with a file among its fields. */
export interface MultipartDescription {
  schema: z.ZodType;
  fileField: string;
}

/**
 * The handler takes a multipart form.
 * @param schema the fields that are texts
 * @param fileField the field that is a file; it may be left out
 */
export const Multipart = (schema: z.ZodType, fileField: string) =>
  SetMetadata(MULTIPART, { schema, fileField } satisfies MultipartDescription);
