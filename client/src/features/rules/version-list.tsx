import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import { Button } from '../../components/form/button.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { Differences } from './differences.js';
import { differences } from './rule-texts.js';
import { before } from './rule-versions.js';
import { EDITOR } from './rules-address.js';
import { useEarlierVersions } from './rules-calls.js';
import { STATE_LABELS } from './version-labels.js';

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
        Versions
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
                Version {version.version}
                <span
                  className="block text-ink-soft font-sans text-1 data-[state=current]:text-accent-text data-[state=current]:font-semibold data-[state=coming]:text-ink data-[state=coming]:font-semibold"
                  data-state={version.state}
                >
                  {STATE_LABELS[version.state]}
                </span>
              </h4>
              <div className="flex flex-col gap-2 min-w-0">
                {version.why !== null && <p className="wrap-anywhere whitespace-pre-line">{version.why}</p>}
                <p className="note">{storyOf(version)}</p>
                {changes.length > 0 && <Differences changes={changes} />}
                {mayChange && version.state !== 'current' && (
                  <Link
                    className="self-start text-1"
                    to={`${EDITOR}?version=${version.version}`}
                    {...(version.version < oldest && { state: { rules: version.rules } })}
                  >
                    Begin a change with these rules
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
          Show earlier versions
        </Button>
      )}
    </section>
  );
}

/** "From 2026-12-01 00:00. Made by Ewa Lipska on 2026-11-23 10:00." */
function storyOf({ from, changedBy, changedAt, withdrawnBy, withdrawnAt }: RulesVersion): string {
  if (from === null) return 'Of the program, before rules could be changed here.';
  const made = changedAt === null ? '' : ` Made by ${changedBy ?? 'somebody'} on ${isoMinute(changedAt)}.`;
  if (withdrawnAt === null) return `From ${isoMinute(from)}.${made}`;
  return `Was to begin on ${isoMinute(from)}.${made} Withdrawn by ${withdrawnBy ?? 'somebody'} on ${isoMinute(withdrawnAt)}.`;
}
