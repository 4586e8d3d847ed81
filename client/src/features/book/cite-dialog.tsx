import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { useRef, useState } from 'react';
import type { Book } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Segments } from '../../components/form/segments.js';
import { saveFile } from '../../lib/save-file.js';
import {
  CITATION_STYLES,
  citationParts,
  citationText,
  type CitationPart,
  type CitationStyle,
} from './citations.js';
import { classNames } from '../../lib/class-names.js';

const FILES: Record<CitationStyle, { ending: string; type: string }> = {
  APA: { ending: 'txt', type: 'text/plain' },
  MLA: { ending: 'txt', type: 'text/plain' },
  BibTeX: { ending: 'bib', type: 'application/x-bibtex' },
  RIS: { ending: 'ris', type: 'application/x-research-info-systems' },
};

/** How the book is named in what somebody writes, to copy or to save. */
export function CiteDialog({ book, onClose }: { book: Book; onClose: () => void }) {
  const [style, setStyle] = useState<CitationStyle>('APA');
  const [said, setSaid] = useState('');
  const shown = useRef<HTMLParagraphElement>(null);
  const parts = citationParts(book, style);
  const text = citationText(book, style);
  const { ending, type } = FILES[style];

  const copy = async () => {
    try {
      await copyParts(parts, text);
      setSaid(m.book_copied());
    } catch {
      if (shown.current) window.getSelection()?.selectAllChildren(shown.current);
      setSaid(m.book_citation_not_copied());
    }
  };

  return (
    <Dialog title={m.book_cite_title()} wide onClose={onClose}>
      <Segments
        label={m.book_citation_style()}
        values={CITATION_STYLES}
        chosen={style}
        onChoose={(chosen) => {
          setStyle(chosen);
          setSaid('');
        }}
      >
        {(value) => value}
      </Segments>
      <p
        ref={shown}
        className={classNames(
          'max-h-[min(20rem,50dvh)] p-4 overflow-auto border-l-3 border-accent-text',
          'bg-surface font-serif wrap-anywhere select-text',
          "data-record:[font-family:ui-monospace,'Liberation_Mono',monospace]",
          'data-record:text-1 data-record:whitespace-pre-wrap',
        )}
        data-record={style === 'BibTeX' || style === 'RIS' || undefined}
        data-citation={style}
      >
        {parts.map(({ text: part, isItalic }) =>
          isItalic ? <cite key={part}>{part}</cite> : <span key={part}>{part}</span>,
        )}
      </p>
      <p className="note" role="status">
        {said}
      </p>
      <DialogButtons>
        <Button
          icon={Download}
          onClick={() => saveFile(new Blob([text], { type }), `${nameOf(book)}.${ending}`)}
        >
          {m.book_download()}
        </Button>
        <Button icon={Copy} look="primary" onClick={() => void copy()}>
          {m.common_copy()}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** With the italics, where the browser can. */
async function copyParts(parts: readonly CitationPart[], text: string): Promise<void> {
  if (typeof ClipboardItem !== 'function' || !parts.some(({ isItalic }) => isItalic)) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const html = parts.map((part) => (part.isItalic ? `<i>${escaped(part.text)}</i>` : escaped(part.text)));
  const item = new ClipboardItem({
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html.join('')], { type: 'text/html' }),
  });
  await navigator.clipboard.write([item]);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** "the-left-hand-of-darkness" */
function nameOf({ title }: Book): string {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return words.slice(0, 60).replace(/^-|-$/g, '') || 'book';
}
