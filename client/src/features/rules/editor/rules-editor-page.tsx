import * as m from '#words/messages.js';
import { useState, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/list/placeholders.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { useAddress } from '../../../lib/use-address.js';
import { EDITOR_ADDRESS, handedOver, RULES_PAGE, useRules, useRulesDraft, EDITOR } from '../rules-calls.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { NameDialog } from '../../../components/dialog/name-dialog.js';
import { UnsavedChanges } from '../../../components/dialog/unsaved-changes.js';
import { notify } from '../../../lib/notify.js';
import { ChangesPanel, ConcurrentChanges } from './changes-panel.js';
import { Differences } from '../differences.js';
import pagePart from '../../../components/display/page-part.module.css';
import { RulesParts } from './rules-parts.js';
import { useRulesEditor, type EditorStart } from './use-rules-editor.js';
import { BackLink } from '../../../components/form/button.js';
import { classNames } from '../../../lib/class-names.js';

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
  usePageTitle(draftId === null ? m.rules_change() : m.rules_draft_title());
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
      <BackLink to={RULES_PAGE}>{m.common_rules()}</BackLink>
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
        <EmptyState title={m.rules_draft_not_there()}>{m.rules_draft_gone()}</EmptyState>
      ) : failed ? (
        <ErrorState of={failed} />
      ) : (
        <SkeletonLines label={m.rules_loading()} widths={[60, 80, 40, 70]} />
      )}
    </>
  );
}

const isDraftGone = (error: Error | null) =>
  error instanceof RequestError && (error.problem?.code === 'RulesDraftNotFound' || error.status === 400);

interface RulesEditorProps {
  start: EditorStart;
  /** Whose rules it begins with; null for those in force, or of the draft. */
  version: number | null;
  /** What was typed on another page. */
  given: RuleSet | null;
  overview: RulesOverview;
  draft: RulesDraft | null;
  /** Somebody has deleted it, or put it in force. */
  isDraftGone: boolean;
}

/** Rules to be changed; what changes is told before they are put in force, or kept as a draft. */
function RulesEditor({ start, version, given, overview, draft, isDraftGone }: RulesEditorProps) {
  const navigate = useNavigate();
  const kept = isDraftGone ? null : draft;
  const editor = useRulesEditor(start, { version, given }, { overview, draft: kept });
  const [asking, setAsking] = useState<'confirm' | 'name' | null>(null);
  const { typed, errors, rules, changes, change, save } = editor;

  // Once nothing is unsaved any more.
  const [leadsTo, setLeadsTo] = useState<string>();
  useEffect(() => {
    if (leadsTo !== undefined) void navigate(leadsTo, { replace: leadsTo !== RULES_PAGE });
  }, [leadsTo, navigate]);

  const keepDraft = (name: string) => {
    if (!rules) return;
    editor.saveDraft(kept?.id ?? null, rules, name, ({ id }) => {
      notify.success(m.rules_draft_saved_toast());
      setAsking(null);
      if (!kept) setLeadsTo(`${EDITOR}?draft=${id}`);
    });
  };
  const putInForce = () => {
    if (!rules) return;
    editor.putInForce(rules, () => {
      notify.success(
        typed.from === ''
          ? m.rules_changing_in({ count: overview.startsAfterMinutes })
          : m.rules_changing_on({ day: typed.from }),
      );
      setLeadsTo(RULES_PAGE);
    });
  };
  /** @returns whether everything is right; else the first field that is not is shown */
  const isRight = (form: HTMLElement, needsWhy: boolean) => {
    const isWrong =
      !rules || editor.isHalfTyped || errors.has('from') || (needsWhy && typed.why.trim() === '');
    if (!isWrong) return true;
    editor.try();
    // After what is wrong has been drawn.
    setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return false;
  };

  return (
    <>
      <UnsavedChanges unsaved={editor.isTouched && leadsTo === undefined} />
      <h2 className={classNames(pagePart.name, 'mb-4')}>
        {start.draft ? typed.name || m.rules_draft_heading() : m.rules_change()}
      </h2>
      {leadsTo === undefined && (
        <ConcurrentChanges editor={editor} draft={start.draft} isDraftGone={isDraftGone} />
      )}
      <form
        className="grid grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)] gap-10 items-start to-1000:grid-cols-1"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const { currentTarget: form } = event;
          const isBusy = change.isPending || save.isPending;
          if (isBusy || editor.newVersions.length > 0 || changes.length === 0) return;
          if (isRight(form, true)) setAsking('confirm');
        }}
      >
        <RulesParts typed={typed.rules} errors={errors} onEdit={editor.editRules} usual={editor.usual} />
        <ChangesPanel
          editor={editor}
          draft={kept}
          startsAfterMinutes={overview.startsAfterMinutes}
          onKeep={(form) => {
            if (!isRight(form, false)) return;
            if (kept) keepDraft(typed.name);
            else setAsking('name');
          }}
        />
      </form>
      {asking === 'confirm' && (
        <Confirmation
          question={
            typed.from === ''
              ? m.rules_change_now_question()
              : m.rules_change_on_question({ day: typed.from })
          }
          more={<Differences changes={changes} />}
          action={m.rules_change()}
          busy={change.isPending}
          onConfirm={() => {
            setAsking(null);
            putInForce();
          }}
          onDecline={() => setAsking(null)}
        >
          {typed.from === ''
            ? m.rules_begin_in({ count: overview.startsAfterMinutes })
            : m.rules_can_be_withdrawn()}{' '}
          {m.rules_old_loans_keep()}
        </Confirmation>
      )}
      {asking === 'name' && (
        <NameDialog
          title={m.rules_keep_draft()}
          lead={m.rules_keep_draft_effect()}
          action={m.rules_keep_draft_confirm()}
          first={typed.from === '' ? '' : m.rules_draft_name_from({ day: typed.from })}
          nameless={m.rules_draft_nameless()}
          busy={save.isPending}
          error={save.error}
          onSave={keepDraft}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}
