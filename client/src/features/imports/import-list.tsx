import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { IMPORT_FILE_FIELD, isAtWork, type StagedImport } from '#contracts/imports.js';
import * as m from '#words/messages.js';
import { Day } from '../../components/display/day.js';
import { Meter } from '../../components/display/meter.js';
import { FileButton } from '../../components/form/file-button.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { stateText } from './import-labels.js';

interface ImportListProps<Import> {
  of: UseQueryResult<Import[]>;
  /** Where they are: each is below it. */
  at: string;
  /** What this kind says of each, after its file. */
  columns: readonly ListColumn<Import>[];
  /** What is said below the title where nothing was imported yet. */
  children?: ReactNode;
}

/** The imports of one kind, the newest first. */
export function ImportList<Import extends StagedImport>({
  of,
  at,
  columns,
  children,
}: ImportListProps<Import>) {
  const all: readonly ListColumn<Import>[] = [
    {
      title: m.import_file(),
      look: 'name',
      heads: true,
      cell: ({ id, name }) => <Link to={`${at}/${id}`}>{name}</Link>,
    },
    ...columns,
    {
      title: m.import_state(),
      look: 'text',
      cell: (each) => (
        <>
          {stateText(each)}
          <ImportMeter of={each} className="mt-1" />
        </>
      ),
    },
    { title: m.common_when(), cell: ({ startedAt }) => <Day time={startedAt} /> },
    { title: m.common_by(), cell: ({ startedBy }) => startedBy ?? '–' },
  ];
  return (
    <>
      <h3 className="mb-3 text-3">{m.import_all()}</h3>
      <Loaded of={of} waiting={<SkeletonLines label={m.import_loading()} widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={m.import_none()}>{children}</EmptyState>
          ) : (
            <ListTable
              columns={all}
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

/** How far the work on it is, while somebody is at it. */
export function ImportMeter({ of, className }: { of: StagedImport; className: string }) {
  return isAtWork(of) && of.total > 0 ? (
    <Meter className={className} value={of.handled} max={of.total} label={m.import_progress()} />
  ) : null;
}

interface ImportUploadProps<Sent> {
  stage: Pick<UseMutationResult<unknown, Error, Sent>, 'isPending' | 'isError' | 'error' | 'mutate'>;
  accept: string;
  sent: (body: FormData) => Sent;
}

/** A file is read as soon as it is chosen; what it would do is shown before anything is done. */
export function ImportUpload<Sent>({ stage, accept, sent }: ImportUploadProps<Sent>) {
  return (
    <>
      <FileButton
        label={m.import_choose_file()}
        accept={accept}
        className="self-start"
        busy={stage.isPending}
        onFile={(file) => {
          const body = new FormData();
          body.set(IMPORT_FILE_FIELD, file);
          stage.mutate(sent(body));
        }}
      >
        {m.import_choose_file()}
      </FileButton>
      <p className="text-ink-soft text-1 empty:hidden" role="status">
        {stage.isPending && m.import_reading_file()}
      </p>
      {stage.isError && (
        <p className="w-full p-3 rounded bg-danger-wash text-danger" role="alert">
          {firstWordsOf(stage.error)}
        </p>
      )}
    </>
  );
}
