import type { Book } from '#contracts/catalogue/book-views.js';
import { session } from '../../../lib/session.js';
import type { BookFormValues } from './book-form-values.js';

/** What was typed when the session ended. */
export interface BookDraft {
  values: BookFormValues;
  cover: File | null;
  removeCover: boolean;
  edited: Book | undefined;
}

let kept: { reader: string; id: number | undefined; draft: BookDraft } | null = null;

/** Keeps a draft, in this tab alone, for the same person coming back to the same form after signing in again. */
export const storedDraft = {
  keep(reader: string, id: number | undefined, draft: BookDraft): void {
    kept = { reader, id, draft };
  },
  find(id: number | undefined): BookDraft | null {
    return kept && kept.id === id && kept.reader === session.current()?.id ? kept.draft : null;
  },
  forget(): void {
    kept = null;
  },
};
