import { Button } from '../../../components/button.js';
import { Skeleton } from '../../../components/skeleton.js';
import { classNames } from '../../../lib/class-names.js';
import type { Authority, AuthorityKind } from './authority-kinds.js';
import styles from './authority-table.module.css';

interface AuthorityTableProps<Item extends Authority & Body, Body extends object, Sort extends string> {
  kind: AuthorityKind<Item, Body, Sort>;
  /** Undefined while they are on their way. */
  items: readonly Item[] | undefined;
  stale: boolean;
  onEdit: (authority: Item) => void;
  onDelete: (authority: Item) => void;
}

export function AuthorityTable<Item extends Authority & Body, Body extends object, Sort extends string>(
  props: AuthorityTableProps<Item, Body, Sort>,
) {
  const { kind, items, stale, onEdit, onDelete } = props;
  const { columns, nameOf, pageSize } = kind;
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
                {columns.map(({ title, text, cell = text, look }) => (
                  <td
                    key={title}
                    role="cell"
                    className={classNames(styles.cell, look && styles[look])}
                    data-label={title}
                    title={text(authority)}
                  >
                    {cell(authority)}
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
