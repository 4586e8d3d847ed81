import * as m from '#words/messages.js';
import { z } from 'zod';
import { firstDay } from './book-facts.js';

/**
 * When a book came out, as exactly as anybody knows: a year (`1949`; `-720` is 720 before our era), a month (`1949-06`) or a
 * day (`1949-06-08`).
 */
const PUBLISHED = /^(?:-?[1-9]\d{0,3}|\d{4}-\d{2}(?:-\d{2})?)$/;

export function isPublished(text: string): boolean {
  if (!PUBLISHED.test(text)) return false;
  const day = firstDay(text);
  return day === null || z.iso.date().safeParse(day).success;
}

const REQUIRED = { error: m.book_form_date_required };
export const publishedSchema = z
  .string(REQUIRED)
  .trim()
  .min(1, REQUIRED)
  .refine(isPublished, { error: m.book_form_date_wrong });
