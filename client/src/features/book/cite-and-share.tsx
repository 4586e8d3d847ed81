import Quote from 'lucide-react/icons/quote';
import { lazy, Suspense, useState } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { ShareButton } from '../../domain/share-button.js';

const CiteDialog = lazy(async () => ({ default: (await import('./cite-dialog.js')).CiteDialog }));

/** What a person takes along of a book: how it is cited, and where it is. */
export function CiteAndShare({ book }: { book: Book }) {
  const [isCiting, setCiting] = useState(false);
  return (
    <>
      <Button icon={Quote} look="plain" aria-haspopup="dialog" onClick={() => setCiting(true)}>
        {m.book_cite()}
      </Button>
      <ShareButton kind="book" id={book.id} title={book.title} />
      {isCiting && (
        <Suspense fallback={null}>
          <CiteDialog book={book} onClose={() => setCiting(false)} />
        </Suspense>
      )}
    </>
  );
}
