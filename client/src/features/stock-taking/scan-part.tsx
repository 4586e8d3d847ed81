import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { shelfMarkSchema } from '#contracts/copies/copy-events.js';
import type { StockTakingStanding } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { Field, TypedField } from '../../components/form/field.js';
import { Notice } from '../../components/dialog/notice.js';
import pagePart from '../../components/display/page-part.module.css';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { queryKeys } from '../../domain/query-keys.js';
import { readForWindow, writeForWindow, useStore } from '../../lib/store.js';
import { isTyping, isWindowOpen } from '../../lib/use-list.js';
import { FileUpload } from './file-upload.js';
import { ScanQueue, type Answered, cleanCode } from './scan-queue.js';
import { inGroups } from '../../lib/texts.js';
import { VERDICT_TONES, verdictText } from './labels.js';
import { classNames } from '../../lib/class-names.js';

/** Milliseconds for which scans go on before the counters are asked for again. */
const COUNTED_AFTER = 1_500;

/** Shelf after shelf: a field that always listens, and what each scan means. */
export function ScanPart({ taking }: { taking: StockTakingStanding }) {
  const { id, state } = taking;
  const recount = useRecount(id);
  const [queue] = useState(() => new ScanQueue(id, recount));
  const { waiting, trouble, answered } = useStore(queue.state);
  const [shelf, setShelf] = useShelf(taking);
  const shelfMark = shelf.trim() === '' ? null : shelf.trim();
  const shelfRefusal =
    shelfMark === null ? undefined : shelfMarkSchema.safeParse(shelfMark).error?.issues[0]?.message;
  const field = useRef<HTMLInputElement>(null);
  const isOpen = state === 'open';
  useScannerFocus(field);
  useEffect(() => {
    if (isOpen) {
      queue.start();
      field.current?.focus();
    }
    return () => queue.stop();
  }, [queue, isOpen]);

  const take = (input: HTMLInputElement) => {
    const code = cleanCode(input.value);
    if (shelfRefusal !== undefined) return;
    // Read and emptied by hand: a scanner types faster than a screen is drawn.
    input.value = '';
    if (code !== '') queue.add(code, shelfMark);
  };

  return (
    <section aria-label={m.stock_scanning()} className="flex flex-col gap-4">
      <div className="grid grid-cols-[16rem_minmax(0,1fr)] gap-x-6 gap-y-3 phone:grid-cols-1">
        <TypedField
          label={m.stock_where_you_stand()}
          hint={m.stock_where_you_stand_hint()}
          error={shelfRefusal}
          value={shelf}
          disabled={!isOpen}
          autoComplete="off"
          maxLength={40}
          onValue={setShelf}
          onKeyDown={(event) => event.key === 'Enter' && field.current?.focus()}
        />
        <Field label={m.stock_scan_field()} hint={m.stock_scan_hint()}>
          {(control) => (
            <input
              {...control}
              ref={field}
              className={`${control.className} text-3 tabular-nums`}
              disabled={!isOpen}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              enterKeyHint="enter"
              placeholder={isOpen ? m.stock_scan_a_copy() : ''}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                take(event.currentTarget);
              }}
            />
          )}
        </Field>
      </div>
      <Result answered={answered[0]} waiting={waiting} isOpen={isOpen} />
      {trouble !== null && waiting > 0 && (
        <Notice
          action={
            <Button size="small" onClick={() => queue.retry()}>
              {m.common_try_again()}
            </Button>
          }
        >
          {m.stock_scans_waiting({ count: waiting, trouble })}
        </Notice>
      )}
      <FileUpload
        id={id}
        shelf={shelfRefusal === undefined ? shelfMark : null}
        disabled={!isOpen}
        onKept={recount}
      />
      {answered.length > 0 && <LastScans answered={answered} />}
    </section>
  );
}

/** The latest scan, to be read from where the shelf is. */
function Result({
  answered,
  waiting,
  isOpen,
}: {
  answered: Answered | undefined;
  waiting: number;
  isOpen: boolean;
}) {
  return (
    <div
      className={classNames(
        'flex flex-col justify-center gap-1 min-h-30 py-4 px-6 [border-left:6px_solid_var(--tone,var(--line-strong))]',
        'rounded [background:var(--tone-wash,var(--surface))] [color:var(--tone,var(--ink-soft))]',
        'phone:min-h-26 phone:py-3 phone:px-4',
      )}
      role="status"
      data-verdict={answered?.verdict}
      data-tone={answered ? VERDICT_TONES[answered.verdict] : undefined}
    >
      {answered ? (
        <>
          <p className="font-serif text-5 leading-[1.1] wrap-anywhere">{verdictText(answered)}</p>
          <p className="text-2 wrap-anywhere">
            {answered.title === null ? answered.code : `${answered.title} · ${answered.code}`}
            {answered.again && ` · ${m.stock_scanned_before()}`}
          </p>
        </>
      ) : (
        <p className="font-serif text-5 leading-[1.1] wrap-anywhere">
          {isOpen ? m.stock_ready() : m.stock_off()}
        </p>
      )}
      {waiting > 0 && (
        <p className="text-2 wrap-anywhere">{m.stock_on_the_way({ count: inGroups(waiting) })}</p>
      )}
    </div>
  );
}

function LastScans({ answered }: { answered: readonly Answered[] }) {
  return (
    <section aria-labelledby="last-scans">
      <h3 id="last-scans" className={pagePart.title}>
        {m.stock_last_scans()}
      </h3>
      <ol role="list">
        {answered.map((each) => (
          <li
            key={each.key}
            className={classNames(
              'grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-center gap-3 min-h-11 py-1 border-b border-line text-1',
              'phone:grid-cols-[1.5rem_minmax(0,1fr)]',
            )}
            data-scan={each.code}
          >
            {each.bookId === null ? (
              <span
                className="w-6 aspect-2/3 border border-dashed border-line-strong [border-radius:1px_2px_2px_1px]"
                aria-hidden="true"
              />
            ) : (
              <SmallCover bookId={each.bookId} title={each.title ?? ''} />
            )}
            <span className="wrap-anywhere">
              {each.title ?? each.code}
              {each.title !== null && <span className="note"> {each.code}</span>}
            </span>
            <span
              className="px-2 rounded bg-tone-wash text-tone leading-[1.6] phone:col-start-2 phone:justify-self-start"
              data-tone={VERDICT_TONES[each.verdict]}
            >
              {each.again ? m.stock_verdict_again({ verdict: verdictText(each) }) : verdictText(each)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The shelf of this window, in this stock-taking. */
function useShelf({ id, shelves }: StockTakingStanding): [string, (shelf: string) => void] {
  const key = `lectern-stock-taking-shelf:${id}`;
  const usual = shelves && shelves.from === shelves.until ? shelves.from : '';
  const [shelf, setShelf] = useState(() => readForWindow(key) ?? usual);
  return [
    shelf,
    (next) => {
      setShelf(next);
      writeForWindow(key, next);
    },
  ];
}

/** Counts anew some time after a scan, not after each of a hundred; in a large house, where that takes longer, more rarely. */
function useRecount(id: string): () => void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const wait = useRef(COUNTED_AFTER);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    const recount = async () => {
      const began = performance.now();
      await client.invalidateQueries({ queryKey: queryKeys.stockTaking(id) });
      wait.current = Math.max(COUNTED_AFTER, 10 * (performance.now() - began));
      timer.current = undefined;
    };
    timer.current = window.setTimeout(() => void recount(), wait.current);
  };
}

/** What a scanner types goes into its field, wherever on the page one has clicked. */
function useScannerFocus(field: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (isWindowOpen()) return;
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
