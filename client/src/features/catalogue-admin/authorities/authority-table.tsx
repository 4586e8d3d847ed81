import type { ReactNode } from 'react';
import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { classNames } from '../../../lib/class-names.js';
import styles from './authority-table.module.css';

/** What every author, genre and publisher has. */
export interface Authority {
  id: number;
  version: number;
}

export interface AuthorityColumn<Item> {
  title: string;
  cell: (authority: Item) => ReactNode;
  /** The whole text, for the pointer, where the cell may cut it. */
  text: (authority: Item) => string;
  /** `name` stands out; `wide` takes the room that is left. */
  look?: 'name' | 'wide';
}

interface AuthorityTableProps<Item extends Authority> {
  columns: readonly AuthorityColumn<Item>[];
  /** Undefined while they are on their way. */
  items: readonly Item[] | undefined;
  stale: boolean;
  /** How many rows to keep room for. */
  pageSize: number;
  nameOf: (authority: Item) => string;
  onEdit: (authority: Item) => void;
  onDelete: (authority: Item) => void;
}

export function AuthorityTable<Item extends Authority>(props: AuthorityTableProps<Item>) {
  const { columns, items, stale, pageSize, nameOf, onEdit, onDelete } = props;
  return (
    <table role="table" className={styles.table} data-stale={stale || undefined} aria-busy={stale || !items}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className={styles.id}>
            ID
          </th>
          {columns.map(({ title, look }) => (
            <th key={title} role="columnheader" scope="col" className={look && styles[look]}>
              {title}
            </th>
          ))}
          <th role="columnheader" scope="col" className={styles.actions}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items
          ? items.map((authority) => (
              <tr key={authority.id} role="row" className={styles.row}>
                <td role="cell" className={styles.id} data-label="ID">
                  {authority.id}
                </td>
                {columns.map((column) => (
                  <td
                    key={column.title}
                    role="cell"
                    className={classNames(styles.cell, column.look && styles[column.look])}
                    data-label={column.title}
                    title={column.text(authority)}
                  >
                    {column.cell(authority)}
                  </td>
                ))}
                <td role="cell" className={styles.actions}>
                  <span className={styles.buttons}>
                    <Button
                      size="small"
                      aria-label={`Edit: ${nameOf(authority)}`}
                      onClick={() => onEdit(authority)}
                    >
                      Edit
                    </Button>
                    <Button
                      size="small"
                      look="plain"
                      className={styles.delete}
                      aria-label={`Delete: ${nameOf(authority)}`}
                      onClick={() => onDelete(authority)}
                    >
                      Delete
                    </Button>
                  </span>
                </td>
              </tr>
            ))
          : Array.from({ length: pageSize }, (_, row) => (
              <tr key={row} role="row" className={styles.row}>
                <td role="cell" className={styles.cell} colSpan={columns.length + 2}>
                  <Skeleton width={`${92 - ((row * 17) % 40)}%`} />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  );
}
