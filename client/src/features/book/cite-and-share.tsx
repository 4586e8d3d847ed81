import { Quote, Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { notify } from '../../lib/notify.js';

const CiteDialog = lazy(async () => ({ default: (await import('./cite-dialog.js')).CiteDialog }));

/** What a person takes along of a book: how it is cited, and where it is. */
export function CiteAndShare({ book }: { book: Book }) {
  const [isCiting, setCiting] = useState(false);
  return (
    <>
      <Button icon={Quote} look="plain" aria-haspopup="dialog" onClick={() => setCiting(true)}>
        {m.book_cite()}
      </Button>
      <Button icon={Share2} look="plain" onClick={() => void share(book)}>
        {m.book_share()}
      </Button>
      {isCiting && (
        <Suspense fallback={null}>
          <CiteDialog book={book} onClose={() => setCiting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The page of the book, without what else the address may say. */
const addressOf = (book: Book) => `${window.location.origin}${window.location.pathname}#/book/${book.id}`;

async function share(book: Book): Promise<void> {
  const url = addressOf(book);
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title: book.title, url });
      return;
    } catch (error) {
      // Who closes the choice of where to share it has decided.
      if ((error as { name?: unknown }).name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    notify.success(m.book_link_copied());
  } catch {
    notify.error(m.book_link_not_copied());
  }
}
