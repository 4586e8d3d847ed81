import * as m from '#words/messages.js';
import { useState } from 'react';
import { authorNames } from '#contracts/catalogue/book-facts.js';
import { BOOK_KIND_LABELS } from '#contracts/rules/kinds.js';
import { Button } from '../../components/form/button.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Finder } from '../../components/form/finder.js';
import { Notice } from '../../components/dialog/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { useFoundBooks } from '../catalogue/found-books.js';
import { SmallCover } from '../covers/small-cover.js';
import { usePlaceHold } from './hold-commands.js';

/** Titles that are found at a glance. */
const FOUND = 6;

interface ReserveTitleProps {
  reader: { id: string; fullname: string };
  onClose: () => void;
}

/** Finds a title and has a reader wait for it, at the desk or by telephone. */
export function ReserveTitle({ reader, onClose }: ReserveTitleProps) {
  const place = usePlaceHold({ inPlace: true });
  const [asked, setAsked] = useState('');
  const books = useFoundBooks(asked, FOUND);
  const close = () => !place.isPending && onClose();
  const error = place.error ?? books.error;
  return (
    <Dialog
      title={m.holds_reserve_for({ reader: reader.fullname })}
      lead={m.holds_reserve_lead()}
      keep
      onClose={close}
    >
      <Finder
        label={m.holds_title_to_reserve()}
        placeholder={m.holds_title_placeholder()}
        asked={asked}
        onSearch={setAsked}
        found={
          asked === ''
            ? undefined
            : books.data?.items.map(({ id, title, authors, copiesAvailable, copiesTotal, kind }) => ({
                id: String(id),
                title,
                detail: [
                  authorNames({ authors }),
                  m.holds_on_the_shelf_of({ available: copiesAvailable, total: copiesTotal }),
                  kind === 'loanable' ? '' : BOOK_KIND_LABELS[kind](),
                ]
                  .filter(Boolean)
                  .join(' · '),
              }))
        }
        isSearching={books.isFetching}
        mark={({ id, title }) => <SmallCover bookId={Number(id)} title={title} />}
        onChoose={({ id, title }) => {
          if (!place.isPending) place.mutate({ id: Number(id), title, reader }, { onSuccess: onClose });
        }}
      />
      {error && <Notice>{firstWordsOf(error)}</Notice>}
      <DialogButtons>
        <Button onClick={close}>{m.common_cancel()}</Button>
      </DialogButtons>
    </Dialog>
  );
}
