import * as m from '#words/messages.js';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { Differences } from './differences.js';
import { differences } from './rule-texts.js';
import { before, STATE_LABELS, beginningOn, inForceAt } from './rule-versions.js';
import { EDITOR, useEarlierVersions, WHAT_IF, useDeleteDraft, useRulesDrafts } from './rules-calls.js';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { notify } from '../../lib/notify.js';

interface VersionListProps {
  overview: RulesOverview;
  mayChange: boolean;
}

/** All versions, the latest first: what each changed, who made it, why, and from when on. */
export function VersionList({ overview, mayChange }: VersionListProps) {
  const [earlier, setEarlier] = useState<readonly RulesVersion[]>([]);
  const more = useEarlierVersions();
  const { versions: latest } = overview;
  const oldest = latest.at(-1)?.version ?? 1;
  const versions = [...latest, ...earlier.filter(({ version }) => version < oldest)];
  const first = versions.at(-1)?.version ?? 1;
  return (
    <section className="mt-10" aria-labelledby="versions">
      <h3 id="versions" className="mb-3 pb-1 border-b border-line-strong text-3">
        {m.rules_versions()}
      </h3>
      <ol role="list" className="max-w-224">
        {versions.map((version) => {
          const old = before(versions, version);
          const changes = old ? differences(old.rules, version.rules) : [];
          return (
            <li
              key={version.version}
              className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-4 border-t border-line tabular-nums first:border-t-0 phone:grid-cols-1"
              data-version={version.version}
            >
              <h4 className="m-0 font-serif text-3 leading-tight">
                {m.rules_version({ version: version.version })}
                <span
                  className="block text-ink-soft font-sans text-1 data-[state=current]:text-accent-text data-[state=current]:font-semibold data-[state=coming]:text-ink data-[state=coming]:font-semibold"
                  data-state={version.state}
                >
                  {STATE_LABELS[version.state]}
                </span>
              </h4>
              <div className="flex flex-col gap-2 min-w-0">
                {version.why !== null && <p className="wrap-anywhere whitespace-pre-line">{version.why}</p>}
                <p className="note">{versionStory(version)}</p>
                {changes.length > 0 && <Differences changes={changes} />}
                {mayChange && version.state !== 'current' && (
                  <Link
                    className="self-start text-1"
                    to={`${EDITOR}?version=${version.version}`}
                    {...(version.version < oldest && { state: { rules: version.rules } })}
                  >
                    {m.rules_start_from_version()}
                  </Link>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {more.isError && <Notice>{sentenceOf(more.error)}</Notice>}
      {first > 1 && more.data?.versions.length !== 0 && (
        <Button
          size="small"
          busy={more.isPending}
          onClick={() =>
            more.mutate(first, { onSuccess: (answer) => setEarlier([...earlier, ...answer.versions]) })
          }
        >
          {m.rules_earlier_versions()}
        </Button>
      )}
    </section>
  );
}

/** "From 2026-12-01 00:00. Made by Ewa Lipska on 2026-11-23 10:00." */
function versionStory({ from, changedBy, changedAt, withdrawnBy, withdrawnAt }: RulesVersion): string {
  if (from === null) return m.rules_story_built_in();
  const begins = withdrawnAt === null ? m.rules_story_from : m.rules_story_was_to_begin;
  const sentences = [begins({ from: isoMinute(from) })];
  if (changedAt !== null)
    sentences.push(m.rules_story_made({ who: changedBy ?? m.rules_somebody(), at: isoMinute(changedAt) }));
  if (withdrawnAt !== null)
    sentences.push(
      m.rules_story_withdrawn({ who: withdrawnBy ?? m.rules_somebody(), at: isoMinute(withdrawnAt) }),
    );
  return sentences.join(' ');
}

const NAME = 'text-ink font-serif text-3 wrap-anywhere no-underline leading-tight hover:underline';

interface DraftListProps {
  overview: RulesOverview;
  mayChange: boolean;
}

/** Rules that are prepared and decide nothing yet. */
export function DraftList({ overview, mayChange }: DraftListProps) {
  const drafts = useRulesDrafts();
  const remove = useDeleteDraft();
  const [asked, setAsked] = useState<RulesDraft | null>(null);
  return (
    <section className="mt-10" aria-labelledby="drafts" aria-busy={!drafts.data}>
      <h3 id="drafts" className="mb-3 pb-1 border-b border-line-strong text-3">
        {m.rules_drafts()}
      </h3>
      {remove.isError && <Notice>{sentenceOf(remove.error)}</Notice>}
      {drafts.data?.length === 0 && (
        <p className="quiet">{mayChange ? m.rules_no_drafts_hint() : m.rules_no_drafts()}</p>
      )}
      {drafts.isError && !drafts.data && <ErrorState of={drafts} />}
      {!drafts.data && !drafts.isError && <Skeleton width="16rem" />}
      <ul role="list">
        {drafts.data?.map((draft) => (
          <li
            key={draft.id}
            className="grid py-3 border-t border-line grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 first:border-t-0 phone:grid-cols-1"
            data-draft={draft.id}
          >
            <div>
              {mayChange ? (
                <Link className={NAME} to={`${EDITOR}?draft=${draft.id}`}>
                  {draft.name}
                </Link>
              ) : (
                <span className={NAME}>{draft.name}</span>
              )}
              <p className="note">{draftStory(draft, overview)}</p>
            </div>
            {mayChange && (
              <div className="flex flex-wrap gap-2">
                <ButtonLink
                  size="small"
                  to={`${WHAT_IF}?draft=${draft.id}`}
                  aria-label={m.rules_what_if_of({ name: draft.name })}
                >
                  {m.rules_what_if()}
                </ButtonLink>
                <Button
                  size="small"
                  look="danger"
                  aria-label={m.rules_delete_draft({ name: draft.name })}
                  onClick={() => setAsked(draft)}
                >
                  {m.common_delete()}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <Confirmation
          question={m.rules_delete_draft_question({ name: asked.name })}
          action={m.rules_delete_draft_confirm()}
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(asked.id, {
              onSuccess: () => notify.success(m.rules_draft_deleted()),
              onSettled: () => setAsked(null),
            })
          }
          onDecline={() => setAsked(null)}
        >
          {m.rules_delete_draft_effect()}
        </Confirmation>
      )}
    </section>
  );
}

/** "For 2026-12-01 · 3 rules differ (Loan days, Cap, Closed) · saved by Ewa Lipska on 2026-11-23 10:00" */
function draftStory(draft: RulesDraft, { versions, current }: RulesOverview): string {
  const now = Date.now();
  const then = inForceAt(versions, Math.max(now, beginningOn(draft.from, now))) ?? current;
  const names = differences(then.rules, draft.rules).map(({ name }) => name);
  return [
    draft.from === null ? m.rules_draft_no_start() : m.rules_draft_for({ from: draft.from }),
    changesText(names),
    m.rules_draft_saved({ who: draft.changedBy ?? m.rules_somebody(), at: isoMinute(draft.changedAt) }),
  ].join(' · ');
}

function changesText(names: readonly string[]): string {
  if (names.length === 0) return m.rules_draft_same();
  if (names.length <= 4) return m.rules_draft_changes({ names: names.join(', ') });
  return m.rules_draft_changes_more({ names: names.slice(0, 3).join(', '), count: names.length - 3 });
}
