import { z } from 'zod';
import { firstDay } from './book-facts.js';

/**
 * When a book came out, as exactly as anybody knows: a year (`1949`; `-720` is 720 before our era), a month (`1949-06`) or a
 * day (`1949-06-08`).
 */
const PUBLISHED = /^(?:-?[1-9]\d{0,3}|\d{4}-\d{2}(?:-\d{2})?)$/;
const WRITE = 'Write a year (1949), a month (1949-06) or a day (1949-06-08).';

export function isPublished(text: string): boolean {
  if (!PUBLISHED.test(text)) return false;
  const day = firstDay(text);
  return day === null || z.iso.date().safeParse(day).success;
}

export const publishedSchema = z
  .string('Publication date is required.')
  .trim()
  .min(1, 'Publication date is required.')
  .refine(isPublished, WRITE);
