import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as m from '#words/messages.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';

interface Listed {
  id: string;
  state: string;
}

interface ImportListProps<Import> {
  of: UseQueryResult<Import[]>;
  columns: readonly ListColumn<Import>[];
  /** What is said below the title where nothing was imported yet. */
  children?: ReactNode;
}

/** The imports of one kind, the newest first. */
export function ImportList<Import extends Listed>({ of, columns, children }: ImportListProps<Import>) {
  return (
    <>
      <h3 className="mb-3 text-3">{m.import_all()}</h3>
      <Loaded of={of} waiting={<SkeletonLines label={m.import_loading()} widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={m.import_none()}>{children}</EmptyState>
          ) : (
            <ListTable
              columns={columns}
              items={data}
              keyOf={({ id }) => id}
              rowProps={({ id, state }) => ({ 'data-import': id, 'data-state': state })}
              waiting={4}
            />
          )
        }
      </Loaded>
    </>
  );
}
