import { foldText } from '../fold-text.js';

/** Characters of the words in an address: enough to know the book by, and not cut by who prints it. */
const WORDS = 60;

/** The address of a book for everybody, also where no scripts run: `/book/12-the-history-of-dust`. What is before the hyphen decides. */
export function bookAddress({ id, title }: { id: number; title: string }): string {
  const words = foldText(title).match(/[\p{L}\p{N}]+/gu) ?? [];
  let said = '';
  for (const word of words) {
    if (said.length + word.length > WORDS) break;
    said += `-${word}`;
  }
  return `/book/${id}${said}`;
}
