import * as m from '#words/messages.js';
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
      notify.success(m.borrow_copy_is_with_reader({ code }), {
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
      title={m.borrow_which_copy()}
      lead={leadOf(lent, borrow.user.fullname)}
      action={m.borrow_this_copy()}
      command={{ isPending: rebind.isPending, error: null }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TypedField
        label={m.borrow_copy_label()}
        hint={m.borrow_copy_label_hint()}
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
    copy === undefined
      ? m.borrow_lent_without_label({ title })
      : m.borrow_lent_as_copy({ title, code: copy }),
  );
  return m.borrow_rebind_lead({ name: reader, books: books.join('; ') });
}

const bookOf = (books: readonly LentBook[], code: string) =>
  books.find(({ bookId }) => bookId === readCopyCode(code)?.bookId);

/** What can be said of a code without asking the library. */
function faultOf(code: string, lent: readonly LentBook[]): string | undefined {
  if (!readCopyCode(code)) {
    return code === '' ? m.borrow_scan_copy() : m.borrow_not_a_copy_code({ code });
  }
  const book = bookOf(lent, code);
  const titles = lent.map(({ title }) => title).join(', ');
  if (!book) return m.borrow_copy_of_other_title({ code, titles });
  return book.copy === code ? m.borrow_copy_already_with_reader({ code }) : undefined;
}
