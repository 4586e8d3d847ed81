import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listReaders } from '#contracts/accounts/readers.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { Button } from '../../components/form/button.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Finder } from '../../components/form/finder.js';
import { Notice } from '../../components/dialog/notice.js';
import { usePlaceHold } from '../../domain/holds/hold-commands.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { queryOf } from '../../lib/api/send.js';

/** Readers that are found at a glance. */
const FOUND = 6;

interface ReserveForReaderProps {
  book: Pick<Book, 'id' | 'title'>;
  onClose: () => void;
}

/** Finds a reader and has them wait for the title. */
export function ReserveForReader({ book, onClose }: ReserveForReaderProps) {
  const place = usePlaceHold({ inPlace: true });
  const [asked, setAsked] = useState('');
  const readers = useQuery({
    ...queryOf(listReaders, {
      query: { SearchTerm: asked, SortBy: 'Username', pageNumber: 1, pageSize: FOUND },
    }),
    enabled: asked !== '',
    meta: { inPlace: true },
  });
  const close = () => !place.isPending && onClose();
  const error = place.error ?? readers.error;
  return (
    <Dialog title="Reserve for a reader" lead={book.title} keep onClose={close}>
      <Finder
        label="Reader"
        placeholder="Name, user name or e-mail"
        asked={asked}
        onSearch={setAsked}
        found={
          asked === ''
            ? undefined
            : readers.data?.items.map(({ id, fullname, userName, email }) => ({
                id,
                title: fullname,
                detail: `${userName}, ${email}`,
              }))
        }
        isSearching={readers.isFetching}
        onChoose={({ id, title: fullname }) => {
          const { id: bookId, title } = book;
          if (!place.isPending)
            place.mutate({ id: bookId, title, reader: { id, fullname } }, { onSuccess: onClose });
        }}
      />
      {error && <Notice>{firstWordsOf(error)}</Notice>}
      <DialogButtons>
        <Button onClick={close}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
