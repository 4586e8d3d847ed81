import * as m from '#words/messages.js';
import { May } from '../../domain/may.js';
import { mergeBooks } from '#contracts/catalogue/merge.js';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/form/button.js';

/** Names of what is selected in a list by their ids: they may be on other pages. */
export function useSelected() {
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map());
  const select = (id: number, name: string, on: boolean) => {
    const next = new Map(selected);
    if (on) next.set(id, name);
    else next.delete(id);
    setSelected(next);
  };
  return {
    ids: [...selected.keys()],
    names: [...selected.values()],
    has: (id: number) => selected.has(id),
    select,
    clear: () => setSelected(new Map()),
  };
}

interface SelectionBandProps {
  selected: ReturnType<typeof useSelected>;
  label: string;
  /** What is selected, in words for the eye. */
  words: (names: readonly string[]) => string;
  onMerge: () => void;
  /** What else can be done with them. */
  children?: ReactNode;
}

/** What can be done with those that are selected. Below the list, so that its coming moves no row, and always in view. */
export function SelectionBand({ selected, label, words, onMerge, children }: SelectionBandProps) {
  const { names, clear } = selected;
  return (
    <>
      <p role="status" className="visually-hidden">
        {names.length > 0 && m.list_selected({ count: names.length })}
      </p>
      {names.length > 0 && (
        <div
          className="sticky bottom-3 z-3 flex flex-wrap items-center gap-x-3 gap-y-2 mt-3 py-2 px-3 rounded bg-mark shadow-lift"
          role="group"
          aria-label={label}
        >
          <span
            className="min-w-0 max-w-full mr-auto truncate text-1 font-semibold tabular-nums"
            title={names.join(', ')}
          >
            {words(names)}
          </span>
          <May make={mergeBooks}>
            <Button size="small" disabled={names.length < 2} onClick={onMerge}>
              {m.catalogue_merge_ask()}
            </Button>
          </May>
          {children}
          <Button size="small" look="plain" onClick={clear}>
            {m.catalogue_clear_selection()}
          </Button>
        </div>
      )}
    </>
  );
}
