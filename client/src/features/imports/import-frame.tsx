import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { StagedImport } from '#contracts/imports.js';
import { isAtWork } from '#contracts/imports.js';
import * as m from '#words/messages.js';
import { PartLinks } from '../../components/display/part-links.js';
import pagePart from '../../components/display/page-part.module.css';
import { BackLink, Button } from '../../components/form/button.js';
import listPage from '../../components/list/list-page.module.css';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { askPerson, type Question } from '../../lib/question.js';
import { inGroups } from '../../lib/texts.js';
import { ImportMeter } from './import-list.js';
import { rowsIn, stateText } from './import-labels.js';

interface ImportFrameProps<Import, Part extends string> {
  of: UseQueryResult<Import>;
  /** Where all of them are. */
  at: string;
  title: string;
  /** What it is of and how much, before who read it. */
  facts: (of: Import) => readonly string[];
  actions: (of: Import) => ReactNode;
  /** What is lost with it. */
  forgetting: (of: Import) => string;
  forget: {
    isPending: boolean;
    mutate: (sent: { params: { id: string } }, options: { onSuccess: () => void }) => void;
  };
  parts: readonly Part[];
  names: Record<Part, string>;
  part: Part;
  addressOf: (part: Part) => string;
  /** What stands between the head and the parts, and the rows of the part. */
  between: (of: Import) => ReactNode;
  children: (of: Import) => ReactNode;
}

/** One import: what it would do, row by row; then what it did. */
export function ImportFrame<Import extends StagedImport, Part extends string>(
  props: ImportFrameProps<Import, Part>,
) {
  const { of: read, at, parts, names, part, addressOf, forget, between, children } = props;
  const navigate = useNavigate();
  usePageTitle(read.data?.name ?? props.title);
  return (
    <Loaded of={read} waiting={<SkeletonLines label={m.import_loading()} widths={[40, 90, 70]} />}>
      {(of) => {
        const { id, name, state, startedAt, startedBy } = of;
        const countOf = (each: Part) => (each === 'all' ? rowsIn(of) : (of.outcomes[each] ?? 0));
        return (
          <>
            <header className="mb-6">
              <BackLink to={at}>{m.import_all_link()}</BackLink>
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mt-1 [&_h2]:min-w-0 [&_h2]:wrap-anywhere">
                <h2 className={listPage.title}>{name}</h2>
                <div className="flex flex-wrap gap-2 ml-auto phone:w-full phone:ml-0 phone:[&>*]:flex-1">
                  {props.actions(of)}
                  {!isAtWork(of) && (
                    <Button
                      look="plain"
                      busy={forget.isPending}
                      onClick={asking(
                        {
                          question: m.import_forget_question(),
                          detail: props.forgetting(of),
                          action: m.import_forget(),
                        },
                        () => forget.mutate({ params: { id } }, { onSuccess: () => void navigate(at) }),
                      )}
                    >
                      {m.import_forget()}
                    </Button>
                  )}
                </div>
              </div>
              <p className={pagePart.about}>
                {props.facts(of).map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
                <span>
                  {startedBy === null
                    ? m.import_begun({ day: isoDay(startedAt) })
                    : m.import_begun_by({ day: isoDay(startedAt), by: startedBy })}
                </span>
              </p>
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1 mt-3" data-import-state={state}>
                <ImportMeter of={of} className="flex-[1_1_14rem]" />
                <p role="status">{stateText(of)}</p>
              </div>
            </header>
            {between(of)}
            <PartLinks
              label={m.import_parts()}
              parts={parts.filter((each) => each === 'all' || each === part || countOf(each) > 0)}
              current={part}
              addressOf={addressOf}
              className="mb-4"
            >
              {(each) => (
                <>
                  {names[each]}
                  <span
                    className="min-w-6 px-1 rounded bg-mark text-ink tabular-nums text-center data-quiet:bg-sunk data-quiet:text-ink-soft"
                    data-quiet={countOf(each) === 0 || each !== 'unsure' || undefined}
                  >
                    {inGroups(countOf(each))}
                  </span>
                </>
              )}
            </PartLinks>
            {children(of)}
          </>
        );
      }}
    </Loaded>
  );
}

/** What a button does once a person has said yes. */
export const asking =
  (question: Omit<Question, 'refusal'>, work: () => void): (() => void) =>
  () =>
    void askPerson({ ...question, refusal: m.common_cancel() }).then((isYes) => {
      if (isYes) work();
    });

interface RowOutcomeProps<Field extends string> {
  name: string;
  reason: string | null;
  differs: readonly { field: Field; ours: string; theirs: string }[];
  labels: Record<Field, () => string>;
  /** Whether what the row says takes the place of what the library has. */
  wins: (field: Field) => boolean;
  children?: ReactNode;
}

/** What becomes of a row, and what it says otherwise than the library. */
export function RowOutcome<Field extends string>({
  name,
  reason,
  differs,
  labels,
  wins,
  children,
}: RowOutcomeProps<Field>) {
  return (
    <>
      <p className="font-strong">{name}</p>
      {reason !== null && <p className="text-ink-soft text-1">{reason}</p>}
      {differs.length > 0 && (
        <ul role="list" className="text-1">
          {differs.map(({ field, ours, theirs }) => (
            <li key={field} className="wrap-anywhere">
              <span className="text-ink-soft">{labels[field]()}:</span>{' '}
              {ours !== '' && !wins(field) ? (
                m.import_stays({ ours: shortened(ours), theirs: shortened(theirs) })
              ) : (
                <>
                  {ours !== '' && <del className="text-ink-soft">{shortened(ours)}</del>}{' '}
                  <ins className="no-underline">{shortened(theirs)}</ins>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {children}
    </>
  );
}

const SHOWN = 120;
const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

interface CandidatesProps<Id> {
  question: string;
  of: readonly { id: Id; text: string }[];
  /** What is said where it is none of them. */
  none: string;
  busy: boolean;
  onSettle: (id: Id | null) => void;
}

/** Which of several it is, a person says. */
export function Candidates<Id extends string | number>({
  question,
  of,
  none,
  busy,
  onSettle,
}: CandidatesProps<Id>) {
  return (
    <div className="flex flex-col items-start gap-1 mt-1 [&>button]:h-auto [&>button]:py-1 [&>button]:text-left [&>button]:whitespace-normal">
      <p className="text-1">{question}</p>
      {of.map(({ id, text }) => (
        <Button key={id} size="small" aria-disabled={busy} onClick={() => onSettle(id)}>
          {text}
        </Button>
      ))}
      <Button size="small" look="plain" aria-disabled={busy} onClick={() => onSettle(null)}>
        {none}
      </Button>
    </div>
  );
}
