import { ScanBarcode } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import type { DeskMode } from './desk-lines.js';

interface ScanFieldProps {
  field: RefObject<HTMLInputElement | null>;
  mode: DeskMode;
  hasReader: boolean;
  onScan: (text: string) => void;
}

/** The one field. It is emptied in the very moment of Enter, so that the next scan finds it empty, whatever the network does. */
export function ScanField({ field, mode, hasReader, onScan }: ScanFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const { value } = event.currentTarget;
    event.currentTarget.value = '';
    onScan(value);
  };
  // A list of labels, one a line, as some scanners keep them.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const lines = event.clipboardData.getData('text').split(/[\r\n]+/);
    if (lines.length < 2) return;
    event.preventDefault();
    for (const line of lines) onScan(line);
  };
  return (
    <div
      // It listens.
      className="flex items-center gap-3 min-h-16 pl-4 pr-2 border-2 border-line-strong rounded bg-surface text-ink-soft focus-within:border-accent-text"
    >
      <ScanBarcode size={28} aria-hidden="true" />
      <input
        ref={field}
        type="text"
        className="flex-1 min-w-0 min-h-14 p-0 border-0 bg-transparent text-ink text-4 tabular-nums focus-visible:outline-none placeholder:text-ink-soft placeholder:opacity-100 phone:text-3"
        aria-label="Scan or type a card, a label or an ISBN"
        placeholder={placeholderOf(mode, hasReader)}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={200}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}

function placeholderOf(mode: DeskMode, hasReader: boolean): string {
  if (mode === 'take-back') return 'Scan a book: label or ISBN';
  return hasReader ? 'Scan a book, or the next card' : 'Scan a card, or type a name';
}
