import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { EmptyState } from '../../../components/list/empty-state.js';
import { ErrorState } from '../../../components/list/error-state.js';
import { SkeletonLines } from '../../../components/list/skeleton.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { useAddress } from '../../../lib/use-address.js';
import { EDITOR_ADDRESS, handedOver, RULES_PAGE } from '../rules-address.js';
import { useRules, useRulesDraft } from '../rules-calls.js';
import { RulesEditor } from './rules-editor.js';
import pageStyles from '../rules-page.module.css';

/** The rules that are in force, or a draft, or an earlier version, to be changed. */
export function RulesEditorPage() {
  const [{ draft, version }] = useAddress(EDITOR_ADDRESS);
  const location = useLocation();
  const given = handedOver(location.state);
  return (
    <Editor
      key={given ? location.key : `${draft} ${version}`}
      draftId={draft}
      version={version}
      given={given}
    />
  );
}

interface EditorProps {
  draftId: string | null;
  version: number | null;
  given: RuleSet | null;
}

function Editor({ draftId, version, given }: EditorProps) {
  usePageTitle(draftId === null ? 'Change the rules' : 'A draft of the rules');
  const rules = useRules();
  const draft = useRulesDraft(draftId);
  /** It opens once: what is fetched later must not take away what is being typed. */
  const [opened, setOpened] = useState<{ overview: RulesOverview; draft: RulesDraft | null }>();
  const isFresh = [rules, draft].every((query) => query.isFetchedAfterMount && !query.isFetching);
  if (!opened && rules.data && draftId === null && rules.isFetchedAfterMount && !rules.isFetching)
    setOpened({ overview: rules.data, draft: null });
  if (!opened && rules.data && draft.data && isFresh) setOpened({ overview: rules.data, draft: draft.data });

  const isGone = isDraftGone(draft.error);
  const failed = [rules, draft].find((query) => query.isError && !query.data);
  return (
    <>
      <Link to={RULES_PAGE} className={pageStyles.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        Rules
      </Link>
      {opened && rules.data ? (
        <RulesEditor
          start={opened}
          version={version}
          given={given}
          overview={rules.data}
          draft={draft.data ?? null}
          isDraftGone={isGone}
        />
      ) : isGone ? (
        <EmptyState title="There is no such draft">It was deleted, or put in force.</EmptyState>
      ) : failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      ) : (
        <SkeletonLines label="Loading the rules" widths={[60, 80, 40, 70]} />
      )}
    </>
  );
}

const isDraftGone = (error: Error | null) =>
  error instanceof RequestError && (error.problem?.code === 'RulesDraftNotFound' || error.status === 400);
