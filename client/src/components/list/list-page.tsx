import type { UseMutationResult } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import X from 'lucide-react/icons/x';
import type { ComponentProps, ReactNode } from 'react';
import * as m from '#words/messages.js';
import type { List, ListedItems } from '../../lib/use-list.js';
import { Button } from '../form/button.js';
import { Choice } from '../form/choice.js';
import { EmptyState } from './placeholders.js';
import styles from './list-page.module.css';
import { PagedList } from './paged-list.js';
import { SearchBox } from '../form/search-box.js';
import { ListTable, type ListTableProps } from './table.js';

/** Milliseconds that a search waits for the next letter (specification, section 9). */
const SEARCH_DELAY = 500;

interface ListValues {
  pageNumber: number;
  SearchTerm?: string;
}

/** A choice above the list, of a value of its address. */
type ListChoice<Values> = {
  [Name in keyof Values]: {
    label: string;
    of: Name;
    options: readonly { value: Values[Name] & string; label: string }[];
  };
}[keyof Values];

type ListedTable<Page extends ListedItems> = Omit<ListTableProps<Page['items'][number]>, 'items' | 'stale'>;

interface ListPageProps<Values extends ListValues, Page extends ListedItems> {
  list: List<Values, Page>;
  title: string;
  /** How much there is, of what was searched for. */
  count: (page: Page, term: string) => ReactNode;
  /** At the end of the head: what adds one, what saves the list. */
  actions?: ReactNode;
  /** What the list is, above its tools. */
  lead?: ReactNode;
  search?: { label: string; placeholder: string };
  choices?: readonly ListChoice<Values>[];
  /** Further tools, after the choices. */
  tools?: ReactNode;
  /** Names the list, if not the title. */
  label?: string;
  pagesLabel: string;
  empty: ReactNode;
  /** What is listed: a table, or (undefined while loading) whatever else. */
  table?: ListedTable<Page>;
  children?: (page: Page | undefined, stale: boolean) => ReactNode;
}

/** A page of the console that is a list: its head, the tools over the list, the list, and its pages. */
export function ListPage<Values extends ListValues, Page extends ListedItems>(
  props: ListPageProps<Values, Page>,
) {
  const { list, title, count, search, choices = [], tools, empty, table, children } = props;
  const { values, answer } = list;
  const hasTools = search !== undefined || choices.length > 0 || tools !== undefined;
  return (
    <>
      <ListHead title={title} count={answer.data && count(answer.data, values.SearchTerm ?? '')}>
        {props.actions}
      </ListHead>
      {props.lead !== undefined && <p className="max-w-measure mb-4 text-ink-soft text-1">{props.lead}</p>}
      {hasTools && (
        <div className={styles.tools}>
          {search && <ListSearch list={list} {...search} />}
          {choices.map(({ label, of, options }) => (
            <Choice
              key={label}
              label={label}
              value={values[of] as Values[keyof Values] & string}
              options={options}
              onChoose={(value) => list.change({ [of]: value } as unknown as Partial<Values>)}
            />
          ))}
          {tools}
        </div>
      )}
      <PagedList
        list={list}
        label={props.label ?? title}
        className="mb-4 focus-visible:outline-offset-4"
        pagesLabel={props.pagesLabel}
        empty={empty}
      >
        {children ?? ((page, stale) => table && <ListTable {...table} items={page?.items} stale={stale} />)}
      </PagedList>
    </>
  );
}

interface PagedTableProps<Values extends ListValues, Page extends ListedItems> extends Omit<
  ComponentProps<typeof PagedList<Values, Page>>,
  'children'
> {
  table: ListedTable<Page>;
}

/** A table that is a part of a page, a page of it at a time. */
export function PagedTable<Values extends ListValues, Page extends ListedItems>({
  table,
  ...list
}: PagedTableProps<Values, Page>) {
  return (
    <PagedList {...list}>
      {(page, stale) => <ListTable {...table} items={page?.items} stale={stale} />}
    </PagedList>
  );
}

interface ListHeadProps {
  title: string;
  /** How much there is, once it is known. */
  count?: ReactNode;
  children?: ReactNode;
}

export function ListHead({ title, count, children }: ListHeadProps) {
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.count} role="status">
        {count}
      </p>
      {children}
    </header>
  );
}

interface ListSearchProps<Values extends ListValues> {
  list: List<Values, ListedItems>;
  label: string;
  placeholder: string;
  /** Milliseconds to wait for the next letter. */
  delay?: number;
}

/** Searches a list by its address. */
export function ListSearch<Values extends ListValues>(props: ListSearchProps<Values>) {
  const { list, label, placeholder, delay = SEARCH_DELAY } = props;
  return (
    <SearchBox
      label={label}
      placeholder={placeholder}
      value={list.values.SearchTerm ?? ''}
      onSearch={(SearchTerm) => list.change({ SearchTerm } as Partial<Values>)}
      delay={delay}
      inputRef={list.search}
    />
  );
}

interface NothingMatchesProps {
  /** "No author matches" */
  title: string;
  /** "Show all authors" */
  all: string;
  onClear: () => void;
  /** What may help. */
  children?: ReactNode;
}

/** Nothing matches what the list is narrowed by. */
export function NothingMatches({ title, all, onClear, children }: NothingMatchesProps) {
  return (
    <EmptyState title={title} action={<Button onClick={onClear}>{all}</Button>}>
      {children}
    </EmptyState>
  );
}

/** Saves the whole list as a file. */
export function SaveAsCsv({ file }: { file: UseMutationResult<unknown, Error, void> }) {
  return (
    <Button icon={Download} busy={file.isPending} onClick={() => file.mutate()}>
      {m.list_save_csv()}
    </Button>
  );
}

interface ListPartProps {
  /** What is shown alone. */
  name: string;
  /** What leads back: "Show all borrows again". */
  leave: string;
  onLeave: () => void;
}

/** Says that a list shows a part alone, and leads back to the whole. */
export function FilterNotice({ name, leave, onLeave }: ListPartProps) {
  return (
    <p className="inline-flex items-center gap-1 min-h-9 pl-3 rounded bg-accent-wash text-accent-text text-1 font-strong">
      {name}
      <button
        type="button"
        className="grid place-items-center size-9 rounded cursor-pointer hover:bg-sunk"
        aria-label={leave}
        onClick={onLeave}
      >
        <X size={16} aria-hidden="true" />
      </button>
    </p>
  );
}
