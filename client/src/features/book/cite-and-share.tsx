import { Quote, Share2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { bookAddress } from '#contracts/catalogue/book-address.js';
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

/** Where everybody can read of the book, also who has no scripts. */
const addressOf = (book: Book) => window.location.origin + encodeURI(bookAddress(book));

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
