import * as m from '#words/messages.js';
import ImageUp from 'lucide-react/icons/image-up';
import { useId, useRef, useState } from 'react';
import { PICTURE_TYPES } from '#contracts/pictures.js';
import { BookCover, CoverPicture } from '../../../domain/covers/book-cover.js';
import type { CoveredBook } from '../../../domain/covers/covered-book.js';
import { Button } from '../../../components/form/button.js';
import styles from './cover-field.module.css';
import type { ChosenCover } from './use-chosen-cover.js';

interface CoverFieldProps {
  /** The book as it is saved; undefined for a new one. */
  book: CoveredBook | undefined;
  cover: ChosenCover | null;
  errors: readonly (string | undefined)[];
  onChoose: (file: File) => void;
  onRemove: () => void;
  /** The saved picture is to go. */
  removed: boolean;
  onRemoved: (removed: boolean) => void;
  /** The browser cannot show what was chosen. */
  onUnreadable: () => void;
}

/** The cover: chosen or dropped, and shown as it will be. */
export function CoverField(props: CoverFieldProps) {
  const { book, cover, removed, errors, onChoose, onRemove, onRemoved, onUnreadable } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const messages = errors.filter((message) => message !== undefined);
  return (
    <div className="flex flex-col gap-2 w-full max-w-60">
      <label htmlFor={id} className="text-1 font-strong">
        {m.book_form_cover()}
      </label>
      <div
        className="grid place-items-center p-4 border border-dashed border-line-strong rounded bg-surface data-over:border-accent-text data-over:bg-accent-wash"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer.files[0];
          if (file) onChoose(file);
        }}
      >
        {cover ? (
          <CoverPicture
            url={cover.url}
            alt={m.book_form_cover_chosen()}
            className="w-[min(200px,100%)]"
            onError={onUnreadable}
          />
        ) : book?.photo && !removed ? (
          <CoverPicture url={book.photo.url} alt={m.book_form_cover_now()} className="w-[min(200px,100%)]" />
        ) : book ? (
          <BookCover book={{ ...book, photo: null }} className="w-[min(200px,100%)]" />
        ) : (
          <span className="w-[min(200px,100%)] flex flex-col items-center justify-center gap-3 aspect-2/3 text-ink-soft text-1 text-center">
            <ImageUp size={28} aria-hidden="true" />
            {m.book_form_cover_drop()}
          </span>
        )}
      </div>
      <input
        ref={input}
        id={id}
        type="file"
        accept={PICTURE_TYPES.join(',')}
        className={styles.input}
        aria-invalid={messages.length > 0 || undefined}
        aria-describedby={`${id}-hint ${id}-errors`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onChoose(file);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      {cover && (
        <div className="flex items-center justify-between gap-3">
          <span className="min-w-0 truncate text-1" title={cover.file.name}>
            {cover.file.name}
          </span>
          <Button
            size="small"
            onClick={() => {
              onRemove();
              input.current?.focus();
            }}
          >
            {m.common_remove()}
          </Button>
        </div>
      )}
      {!cover && book?.photo && (
        <Button size="small" onClick={() => onRemoved(!removed)}>
          {removed ? m.book_form_cover_keep() : m.book_form_cover_remove()}
        </Button>
      )}
      <p id={`${id}-hint`} className="note">
        {m.book_form_cover_hint()}
      </p>
      <div id={`${id}-errors`} aria-live="polite">
        {messages.map((message) => (
          <p key={message} className="text-danger text-1">
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}
