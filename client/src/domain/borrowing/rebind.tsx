import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rebindCopies } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { readCopyCode } from '#contracts/catalogue/copy-code.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { TypedField } from '../../components/form/field.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { ofBorrow } from './borrow-texts.js';
import { aboutBorrow } from './notify-done.js';

type LentBook = BorrowView['books'][number];

function useRebind() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ borrow, code }: { borrow: BorrowView; code: string }) => `${borrow.id} ${code}`,
    send: ({ borrow, code }, idempotencyKey) =>
      send(rebindCopies, { ...ofBorrow(borrow), body: { copies: [code] } }, { idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: (answer, { borrow, code }) => {
      notify.success(`Copy ${code} is with the reader`, {
        detail: aboutBorrow(borrow, bookOf(borrow.books, code)?.title),
      });
      ensureFresh(client, answer);
    },
  });
}

interface RebindProps {
  borrow: BorrowView;
  /** The book that is spoken of; without it any of those that are with the reader. */
  bookId?: number;
  onClose: () => void;
}

/** A librarian says which copy a reader has, where it is another than was said when it was lent. */
export function Rebind({ borrow, bookId, onClose }: RebindProps) {
  const rebind = useRebind();
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const lent = borrow.books.filter(
    (book) => book.state === 'lent' && (bookId === undefined || book.bookId === bookId),
  );
  const submit = () => {
    const scanned = code.replaceAll(' ', '');
    const fault = faultOf(scanned, lent);
    setWrong(fault);
    if (fault === undefined) rebind.mutate({ borrow, code: scanned }, { onSuccess: onClose });
  };
  return (
    <CommandDialog
      title="Which copy is it?"
      lead={leadOf(lent, borrow.user.fullname)}
      action="This is the copy"
      command={{ isPending: rebind.isPending, error: null }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TypedField
        label="Label of the copy"
        hint="Scan it, or type the code under the barcode."
        error={wrong ?? (rebind.isError ? firstWordsOf(rebind.error) : undefined)}
        autoComplete="off"
        spellCheck={false}
        inputMode="numeric"
        data-takes-scans=""
        value={code}
        onValue={(typed) => {
          setCode(typed);
          setWrong(undefined);
          rebind.reset();
        }}
      />
    </CommandDialog>
  );
}

function leadOf(lent: readonly LentBook[], reader: string): string {
  const books = lent.map(({ title, copy }) =>
    copy === undefined ? `${title}, lent without its label` : `${title}, lent as copy ${copy}`,
  );
  return `${reader} has ${books.join('; ')}. The copy you scan will be recorded as the one on loan.`;
}

const bookOf = (books: readonly LentBook[], code: string) =>
  books.find(({ bookId }) => bookId === readCopyCode(code)?.bookId);

/** What can be said of a code without asking the library. */
function faultOf(code: string, lent: readonly LentBook[]): string | undefined {
  if (!readCopyCode(code)) {
    return code === ''
      ? 'Scan the label of the copy.'
      : `${code} is not the code of a copy. Compare it with the label.`;
  }
  const book = bookOf(lent, code);
  const titles = lent.map(({ title }) => title).join(', ');
  if (!book) return `${code} is the label of another title. A copy of ${titles} is asked for.`;
  return book.copy === code ? `${code} is the copy that is with the reader already.` : undefined;
}
