import type { ReactNode } from 'react';
import { classNames } from '../lib/class-names.js';
import { Skeleton } from './skeleton.js';
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
