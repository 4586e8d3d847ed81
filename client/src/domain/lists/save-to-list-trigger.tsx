import Bookmark from 'lucide-react/icons/bookmark';
import { lazy, Suspense } from 'react';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { useUser } from '../../lib/session.js';

// After the page: what it does is not what the page is opened for.
const SaveToList = lazy(async () => ({ default: (await import('./save-to-list.js')).SaveToList }));

/** Keeps a book in lists of the reader's own. A guest has none. */
export function SaveToListTrigger({ book }: { book: { id: number; title: string } }) {
  if (!useUser()) return null;
  return (
    <div>
      <Suspense
        fallback={
          <Button icon={Bookmark} look="plain" disabled>
            {m.lists_save_to()}
          </Button>
        }
      >
        <SaveToList book={book} />
      </Suspense>
    </div>
  );
}
