import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  changeBookSources,
  harvestSource,
  readBookSources,
  SOURCE_KINDS,
  SOURCE_OUTCOMES,
  tryBookSources,
  type BookSource,
  type BookSources,
  type Harvest,
  type TriedSource,
} from '#contracts/catalogue/book-sources.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Notice } from '../../components/dialog/notice.js';
import { BackLink, Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { ListHead } from '../../components/list/list-page.js';
import { MoveButtons } from '../../components/list/move-buttons.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { SourceDialog } from './source-dialog.js';

const meta = { inPlace: true };
/** Milliseconds between two looks at a set that is followed. */
const LOOK_AGAIN = 2000;

/** Where the details of a book are asked for, and which sets of records are followed. */
export function BookSourcesPage() {
  usePageTitle(m.sources_title());
  const answer = useQuery({
    ...queryOf(readBookSources),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      (state.data?.harvests ?? []).some(({ endedAt }) => endedAt === null) && LOOK_AGAIN,
    meta,
  });
  return (
    <>
      <BackLink to="/admin/imports">{m.site_area_imports()}</BackLink>
      <Loaded of={answer} waiting={<SkeletonLines label={m.sources_loading()} widths={[60, 50, 70]} />}>
        {(view) => <Sources view={view} />}
      </Loaded>
    </>
  );
}

function Sources({ view }: { view: BookSources }) {
  const client = useQueryClient();
  /** The one whose window is open; null for a new one. */
  const [edited, setEdited] = useState<BookSource | null>();
  const [removed, setRemoved] = useState<BookSource>();
  const [tried, setTried] = useState<readonly TriedSource[]>([]);
  const keep = (changed: BookSources) => {
    client.setQueryData(keyOf(readBookSources), changed);
    close();
  };
  const change = useCall(changeBookSources, {
    meta,
    onSuccess: keep,
    // Somebody else may have changed them: what they are now is below the message.
    onError: () => void client.invalidateQueries({ queryKey: keyOf(readBookSources) }),
  });
  const harvest = useCall(harvestSource, { onSuccess: keep });
  const { sources, version } = view;
  const close = () => {
    change.reset();
    setEdited(undefined);
    setRemoved(undefined);
  };
  const save = (next: readonly BookSource[]) => change.mutate({ body: { version, sources: [...next] } });
  const others = (source: BookSource) => sources.filter(({ id }) => id !== source.id);
  return (
    <>
      <ListHead title={m.sources_title()} count={m.sources_count({ count: sources.length })}>
        <Button onClick={() => setEdited(null)}>{m.source_add()}</Button>
      </ListHead>
      <p className="max-w-measure mb-4 text-ink-soft text-1">{m.sources_lead()}</p>
      {change.isError && edited === undefined && <Notice>{firstWordsOf(change.error)}</Notice>}
      {sources.length === 0 && <EmptyState title={m.sources_empty()}>{m.sources_empty_lead()}</EmptyState>}
      <ol role="list">
        {sources.map((source, at) => (
          <li
            key={source.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2 py-3 border-t border-line to-760:grid-cols-1"
            data-source={source.name}
          >
            <About
              source={source}
              harvest={view.harvests.find(({ sourceId }) => sourceId === source.id)}
              tried={tried.find(({ id }) => id === source.id)}
            />
            <div className="flex flex-wrap gap-1">
              <MoveButtons
                name={source.name}
                place={at + 1}
                total={sources.length}
                onMove={(place) => !change.isPending && save(others(source).toSpliced(place - 1, 0, source))}
              />
              {source.kind === 'oai-pmh' && (
                <Button
                  size="small"
                  busy={harvest.isPending}
                  onClick={() => harvest.mutate({ params: { id: source.id ?? '' } })}
                >
                  {m.source_follow_now()}
                </Button>
              )}
              <Button size="small" onClick={() => setEdited(source)}>
                {m.common_edit()}
              </Button>
              <Button size="small" look="danger" onClick={() => setRemoved(source)}>
                {m.common_remove()}
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {view.changedAt !== null && (
        <p className="note pt-3 border-t border-line">
          {m.sources_changed({
            by: view.changedBy ?? m.library_changed_by_gone(),
            at: isoMinute(view.changedAt),
          })}
        </p>
      )}
      <Trial onTried={setTried} />
      {removed && (
        <Confirmation
          question={m.source_remove_question({ name: removed.name })}
          action={m.common_remove()}
          busy={change.isPending}
          onConfirm={() => save(others(removed))}
          onDecline={close}
        >
          {change.isError ? firstWordsOf(change.error) : m.source_remove_effect()}
        </Confirmation>
      )}
      {edited !== undefined && (
        <SourceDialog
          source={edited}
          command={change}
          onSave={(saved) =>
            save(edited ? sources.map((each) => (each.id === saved.id ? saved : each)) : [...sources, saved])
          }
          onClose={close}
        />
      )}
    </>
  );
}

interface AboutProps {
  source: BookSource;
  harvest: Harvest | undefined;
  tried: TriedSource | undefined;
}

function About({ source, harvest, tried }: AboutProps) {
  const { name, kind, on } = source;
  const facts = [
    ...(SOURCE_KINDS[kind]() === name ? [] : [SOURCE_KINDS[kind]()]),
    ...('address' in source ? [new URL(source.address).host] : []),
    m.source_seconds({ seconds: source.timeLimit / 1000 }),
    ...(on ? [] : [m.source_off()]),
  ];
  return (
    <div className="min-w-0">
      <h3 className="font-serif text-3 leading-tight wrap-anywhere">{name}</h3>
      <p className="note wrap-anywhere">{facts.join(' · ')}</p>
      {harvest && (
        <p className="text-1 wrap-anywhere" data-harvest={harvest.endedAt === null ? 'running' : 'over'}>
          {harvestText(name, harvest)}{' '}
          {harvest.importId !== null && (
            <Link to={`/admin/imports/${harvest.importId}`}>{m.source_see_import()}</Link>
          )}
        </p>
      )}
      <p className="text-1 wrap-anywhere" role="status" data-tried={tried?.outcome}>
        {tried &&
          `${SOURCE_OUTCOMES[tried.outcome]({ name })} ${[tried.title, m.source_milliseconds({ count: tried.milliseconds })].filter(Boolean).join(' · ')}`}
      </p>
    </div>
  );
}

/** How a set was followed last. */
function harvestText(name: string, { beganAt, endedAt, outcome, detail, records, deleted }: Harvest): string {
  const at = isoMinute(beganAt);
  if (endedAt === null) return m.source_harvest_running({ at, records });
  if (outcome !== null)
    return `${at}: ${SOURCE_OUTCOMES[outcome]({ name })}${detail === '' ? '' : ` (${detail})`}`;
  return deleted > 0
    ? m.source_harvest_done_deleted({ at, records, deleted })
    : m.source_harvest_done({ at, records });
}

/** Asks every source for one book, to see which of them work. */
function Trial({ onTried }: { onTried: (tried: readonly TriedSource[]) => void }) {
  const [isbn, setIsbn] = useState('');
  const trial = useCall(tryBookSources, { meta, onSuccess: onTried });
  return (
    <form
      className="mt-8 max-w-120"
      onSubmit={(event) => {
        event.preventDefault();
        if (!trial.isPending) trial.mutate({ query: { isbn } });
      }}
    >
      <Field label={m.source_try_label()} errors={trial.isError ? [firstWordsOf(trial.error)] : []}>
        {(control) => (
          <div className="flex gap-2 [&>input]:min-w-0">
            <input
              {...control}
              value={isbn}
              autoComplete="off"
              onChange={({ target }) => setIsbn(target.value)}
            />
            <Button type="submit" busy={trial.isPending}>
              {m.source_try()}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
