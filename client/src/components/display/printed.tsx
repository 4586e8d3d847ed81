import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../../lib/class-names.js';
import { usePrinting } from '../../lib/use-printing.js';
import styles from './printed.module.css';

interface PrintedProps {
  /** Over the title: where it comes from. */
  over: string;
  title: string;
  /** Under the title. */
  lead?: string;
  className?: string | undefined;
  onDone: () => void;
  children: ReactNode;
}

/** A sheet of paper that nobody sees on the screen: the browser prints it, or makes a PDF of it, as soon as it is there. */
export function Printed({ over, title, lead, className, onDone, children }: PrintedProps) {
  usePrinting(onDone);
  return createPortal(
    <div
      className={classNames(
        'hidden print:[page:printed] print:block print:[background:#fff] print:[color:#000] print:[font:10pt_/_1.35_var(--sans)]',
        className,
      )}
      data-printed
    >
      <header className="print:mb-[6mm] print:pb-[3mm] print:[border-bottom:3px_double_#000] print:[&_h1]:my-[1mm] print:[&_h1]:mx-0 print:[&_h1]:[font-size:20pt]">
        <p>{over}</p>
        <h1>{title}</h1>
        {lead && <p>{lead}</p>}
      </header>
      {children}
    </div>,
    document.body,
  );
}

/** For tables on it that are of another shape. */
export const printedTable = styles.table ?? '';

interface PrintedTableProps<Item> {
  columns: readonly {
    title: string;
    cell: (item: Item, index: number) => ReactNode;
    className?: string | undefined;
  }[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  className?: string | undefined;
}

/** A table on it. */
export function PrintedTable<Item>({ columns, items, keyOf, className }: PrintedTableProps<Item>) {
  return (
    <table className={classNames(printedTable, className)}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={keyOf(item)}>
            {columns.map(({ title, cell, className: ofCells }) => (
              <td key={title} className={ofCells}>
                {cell(item, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A box to tick. */
export const printedBox = styles.box ?? '';
