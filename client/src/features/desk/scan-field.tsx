import * as m from '#words/messages.js';
import ScanBarcode from 'lucide-react/icons/scan-barcode';
import {
  type ClipboardEvent,
  type KeyboardEvent as FieldKeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
} from 'react';
import type { DeskMode } from './desk-lines.js';
import { isTyping, isUndo, isWindowOpen } from '../../lib/use-list.js';

interface ScanFieldProps {
  field: RefObject<HTMLInputElement | null>;
  mode: DeskMode;
  hasReader: boolean;
  onScan: (text: string) => void;
}

/** The one field. It is emptied in the very moment of Enter, so that the next scan finds it empty, whatever the network does. */
export function ScanField({ field, mode, hasReader, onScan }: ScanFieldProps) {
  const onKeyDown = (event: FieldKeyboardEvent<HTMLInputElement>) => {
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
        className="flex-1 min-w-0 min-h-14 p-0 border-0 bg-transparent text-ink text-4 tabular-nums focus-visible:outline-none text-ellipsis placeholder:text-ink-soft placeholder:opacity-100 phone:text-3"
        aria-label={m.desk_field()}
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
  if (mode === 'take-back') return m.desk_field_take_back();
  return hasReader ? m.desk_field_books() : m.desk_field_card();
}

/** What the keys of the desk do. */
interface ScannerKeys {
  /** The one field. */
  field: RefObject<HTMLInputElement | null>;
  onScan: (text: string) => void;
  onMode: (mode: DeskMode) => void;
  onEscape: () => void;
  onUndo: () => void;
  onKeys: () => void;
}

/** Milliseconds between two keys of a scanner; a person takes longer. */
const SCANNERS_PAUSE = 50;
/** Of fewer letters a hand may be as quick. */
const MIN_LETTERS = 4;

const MODE_KEYS: Partial<Record<string, DeskMode>> = { F2: 'hand-over', F4: 'take-back' };

/**
 * The desk always listens: what is typed anywhere on the page goes into the field. While a window is open, its own keys are the
 * person's; a scanner's, which come faster than any hand, are a scan all the same, and its Enter presses nothing there.
 */
export function useScanner(keys: ScannerKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent, burst: Burst) => {
    const { field, onScan, onMode, onEscape, onUndo, onKeys } = keys;
    if (event.isComposing || takesScans(event.target)) return;
    if (isWindowOpen()) {
      const scanned = burst.take(event);
      if (scanned === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      onScan(scanned);
      return;
    }
    burst.forget();
    const isEmpty = (field.current?.value ?? '') === '';
    const mode = MODE_KEYS[event.key];
    if (mode && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      onMode(mode);
    } else if (isUndo(event) && isEmpty && !isOtherField(event.target, field.current)) {
      event.preventDefault();
      if (!event.repeat) onUndo();
    } else if (event.key === '?' && isEmpty && !isOtherField(event.target, field.current)) {
      event.preventDefault();
      onKeys();
    } else if (event.key === 'Escape' && !isOtherField(event.target, field.current)) {
      event.preventDefault();
      if (!event.repeat) onEscape();
    } else if (isLetter(event) && (isList(event.target) || !isOtherField(event.target, field.current))) {
      // The letter itself then goes where the focus is.
      field.current?.focus();
    }
  });

  // As soon as the desk is there, not after it was painted: a scanner does not wait.
  useLayoutEffect(() => {
    const burst = new Burst();
    const listen = (event: KeyboardEvent) => onKey(event, burst);
    // Before anything on the page takes it.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);

  // A click on nothing in particular does not stop it listening, nor does a window that was closed.
  useEffect(() => {
    const { field } = keys;
    let timer: number | undefined;
    const listenAgain = () => {
      window.clearTimeout(timer);
      // On a phone the focus would bring its keyboard up at every touch; a scanner's first letter brings the focus all the same.
      if (window.matchMedia('(pointer: coarse)').matches) return;
      timer = window.setTimeout(() => {
        const { activeElement } = document;
        if ((activeElement === null || activeElement === document.body) && !isWindowOpen())
          field.current?.focus({ preventScroll: true });
      });
    };
    document.addEventListener('focusout', listenAgain);
    document.addEventListener('pointerup', listenAgain);
    window.addEventListener('focus', listenAgain);
    listenAgain();
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('focusout', listenAgain);
      document.removeEventListener('pointerup', listenAgain);
      window.removeEventListener('focus', listenAgain);
    };
  }, [keys]);
}

/** Letters that come as fast as from a scanner. */
class Burst {
  private text = '';
  private at = -Infinity;

  /** @returns what was scanned, at its Enter */
  take(event: KeyboardEvent): string | undefined {
    const isQuick = event.timeStamp - this.at < SCANNERS_PAUSE;
    this.at = event.timeStamp;
    if (event.key === 'Shift') return undefined;
    if (isLetter(event)) {
      this.text = isQuick ? this.text + event.key : event.key;
      return undefined;
    }
    const scanned = this.text;
    this.text = '';
    return event.key === 'Enter' && isQuick && scanned.length >= MIN_LETTERS ? scanned : undefined;
  }

  forget(): void {
    this.text = '';
  }
}

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

/** A field of a window that asks for a label itself. */
const takesScans = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.dataset['takesScans'] !== undefined;

/** A list to choose from: a scan that comes while it has the focus is no choice. */
const isList = (target: EventTarget | null) => target instanceof HTMLSelectElement;

/** Where somebody types something else. */
const isOtherField = (target: EventTarget | null, field: HTMLInputElement | null) =>
  target !== field && isTyping(target);
