import { SetMetadata } from '@nestjs/common';
import type { z } from 'zod';

export const ANSWERS = 'answers';
export const MULTIPART = 'multipart';

/** A handler's response, for the description of the API. */
export type AnswerDescription =
  | { schema: z.ZodType; status?: number }
  /** A file of this media type. */
  | { mediaType: string; status?: number };

/**
 * The handler's successful response.
 * @param status if it is neither Nest's default (201 for a POST, 200 for others) nor named by `@HttpCode`
 */
export const Answers = (schema: z.ZodType, status?: number) =>
  SetMetadata(ANSWERS, { schema, ...(status !== undefined && { status }) } satisfies AnswerDescription);

/** The handler responds with a file of this media type. */
export const AnswersFile = (mediaType: string, status?: number) =>
  SetMetadata(ANSWERS, { mediaType, ...(status !== undefined && { status }) } satisfies AnswerDescription);

/** A form with a file among its fields. */
export interface MultipartDescription {
  schema: z.ZodType;
  fileField: string;
}

/**
 * The handler takes a multipart form.
 * @param schema the text fields
 * @param fileField the optional file field
 */
export const Multipart = (schema: z.ZodType, fileField: string) =>
  SetMetadata(MULTIPART, { schema, fileField } satisfies MultipartDescription);

export const PAGES = 'pages';

/** The controller serves pages for people; the API's description leaves it out. */
export const Pages = () => SetMetadata(PAGES, true);
