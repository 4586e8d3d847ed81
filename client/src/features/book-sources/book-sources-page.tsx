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
import { BackLink, Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { OrderedList } from '../../components/list/ordered-list.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
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
  const [tried, setTried] = useState<readonly TriedSource[]>([]);
  const keep = (changed: BookSources) => client.setQueryData(keyOf(readBookSources), changed);
  const change = useCall(changeBookSources, {
    meta,
    onSuccess: keep,
    // Somebody else may have changed them: what they are now is below the message.
    onError: () => void client.invalidateQueries({ queryKey: keyOf(readBookSources) }),
  });
  const harvest = useCall(harvestSource, { onSuccess: keep });
  const { sources, version } = view;
  return (
    <>
      <OrderedList<BookSource, BookSource>
        title={m.sources_title()}
        count={m.sources_count({ count: sources.length })}
        lead={m.sources_lead()}
        add={m.source_add()}
        empty={{ title: m.sources_empty(), lead: m.sources_empty_lead() }}
        items={sources}
        nameOf={({ name }) => name}
        idOf={({ id, name }) => id ?? name}
        about={(source) => (
          <About
            source={source}
            harvest={view.harvests.find(({ sourceId }) => sourceId === source.id)}
            tried={tried.find(({ id }) => id === source.id)}
          />
        )}
        actions={({ kind, id }) =>
          kind === 'oai-pmh' && (
            <Button
              size="small"
              busy={harvest.isPending}
              onClick={() => harvest.mutate({ params: { id: id ?? '' } })}
            >
              {m.source_follow_now()}
            </Button>
          )
        }
        changed={{ at: view.changedAt, by: view.changedBy }}
        command={change}
        save={(next, options) => change.mutate({ body: { version, sources: [...next] } }, options)}
        effectOfRemoving={() => m.source_remove_effect()}
        dialog={(source, more) => <SourceDialog source={source} command={change} {...more} />}
      />
      <Trial onTried={setTried} />
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
