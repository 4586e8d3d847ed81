import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';
import { Skeleton } from './placeholders.js';
import styles from './table.module.css';

export interface TableColumn {
  title: string;
  className?: string | undefined;
  /** For the pointer. */
  about?: string;
  /** In place of the title: what sorts by the column, and how it is sorted now. */
  head?: ReactNode;
  order?: 'none' | 'ascending' | 'descending';
}

interface TableProps {
  /** A list keeps its head in sight and its columns where they are; a table to read in fits what is in it. */
  look: 'list' | 'reading';
  columns: readonly TableColumn[];
  className?: string | undefined;
  /** Other rows are loading. */
  stale?: boolean;
  /** How many rows to keep room for, and how they look. */
  waiting: number;
  rowClassName?: string | undefined;
  /** The rows; undefined while loading. */
  children: ReactNode;
}

/** The frame of a table. Roles are named, since on a narrow screen the rows are no table rows for the browser. */
export function Table({ look, columns, stale = false, waiting, rowClassName, ...rest }: TableProps) {
  const { className, children } = rest;
  return (
    <table
      role="table"
      className={classNames(styles.table, styles[look], className)}
      data-stale={stale || undefined}
      aria-busy={stale || children === undefined}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.title}
              role="columnheader"
              scope="col"
              className={column.className}
              title={column.about}
              aria-sort={column.order}
            >
              {column.head ?? column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {children ??
          Array.from({ length: waiting }, (_, row) => (
            <tr key={row} role="row" className={classNames(styles.waiting, rowClassName)}>
              <td role="cell" colSpan={columns.length}>
                <Skeleton width={look === 'list' ? `${92 - ((row * 17) % 40)}%` : '100%'} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

type RowProps = Omit<ComponentProps<'tr'>, 'key' | 'role' | 'children'> & {
  [data: `data-${string}`]: unknown;
};

/** A column of a list, with what it shows of each item. */
export interface ListColumn<Item> extends Omit<TableColumn, 'className'> {
  cell: (item: Item, index: number) => ReactNode;
  /** A `name` is what the item is called; an `action` is what can be done with it. */
  look?: 'name' | 'text' | 'number' | 'nowrap' | 'action';
  className?: string | undefined;
  /** Its cells are the heads of their rows. */
  heads?: true;
  /** Where each row is a block by itself, a value is named by the title of its column; or by this, or (null) by nothing. */
  label?: string | null;
  /** The whole text, for the pointer, of a cell that may cut it. */
  text?: (item: Item) => string;
}

export interface ListTableProps<Item> extends Omit<TableProps, 'look' | 'columns' | 'children'> {
  look?: TableProps['look'];
  columns: readonly ListColumn<Item>[];
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  keyOf: (item: Item) => string | number;
  /** What else its row is, beside a row. */
  rowProps?: (item: Item) => RowProps;
}

/** A list as a table. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { look = 'reading', columns, items, keyOf, rowProps, ...table } = props;
  const classOf = ({ look: of, className }: ListColumn<Item>) => classNames(of && styles[of], className);
  return (
    <Table
      {...table}
      look={look}
      columns={columns.map((column) => ({ ...column, className: classOf(column) }))}
    >
      {items?.map((item, index) => (
        <tr key={keyOf(item)} role="row" className={table.rowClassName} {...rowProps?.(item)}>
          {columns.map((column) => {
            const { title, cell, heads, label = column.look === 'action' ? null : title, text } = column;
            const Cell = heads ? 'th' : 'td';
            return (
              <Cell
                key={title}
                {...(heads ? { role: 'rowheader', scope: 'row' } : { role: 'cell' })}
                className={classOf(column)}
                data-label={label ?? undefined}
                title={text?.(item)}
              >
                {cell(item, index)}
              </Cell>
            );
          })}
        </tr>
      ))}
    </Table>
  );
}
