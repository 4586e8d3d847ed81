import { Button } from '../../../components/button.js';
import { Table } from '../../../components/table.js';
import { classNames } from '../../../lib/class-names.js';
import type { Authority, AuthorityKind } from './authority-kinds.js';
import styles from './authority-table.module.css';

interface AuthorityTableProps<Item extends Authority & Body, Body extends object, Sort extends string> {
  kind: AuthorityKind<Item, Body, Sort>;
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  stale: boolean;
  isSelected: (id: number) => boolean;
  onSelect: (authority: Item, on: boolean) => void;
  onEdit: (authority: Item) => void;
  onDelete: (authority: Item) => void;
}

export function AuthorityTable<Item extends Authority & Body, Body extends object, Sort extends string>(
  props: AuthorityTableProps<Item, Body, Sort>,
) {
  const { kind, items, stale, isSelected, onSelect, onEdit, onDelete } = props;
  const { columns, nameOf, pageSize } = kind;
  return (
    <Table
      look="list"
      className={styles.table}
      columns={[
        { title: 'ID', className: styles.id },
        ...columns.map(({ title, look }) => ({ title, className: look && styles[look] })),
        { title: 'Actions', className: styles.actions },
      ]}
      stale={stale}
      waiting={pageSize}
      rowClassName={styles.row}
    >
      {items?.map((authority) => (
        <tr key={authority.id} role="row" className={styles.row}>
          <td role="cell" className={styles.id} data-label="ID">
            <label className={styles.select}>
              <input
                type="checkbox"
                aria-label={`Select: ${nameOf(authority)}`}
                checked={isSelected(authority.id)}
                onChange={(event) => onSelect(authority, event.target.checked)}
              />
              {authority.id}
            </label>
          </td>
          {columns.map(({ title, text, cell = text, look }) => (
            <td
              key={title}
              role="cell"
              className={classNames('one-line', look && styles[look])}
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
                look="danger"
                aria-label={`Delete: ${nameOf(authority)}`}
                onClick={() => onDelete(authority)}
              >
                Delete
              </Button>
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
