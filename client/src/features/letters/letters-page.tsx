import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  changeSending,
  readLetters,
  type LetterSummary,
  type LettersView,
} from '#contracts/library/own-words.js';
import { Notice } from '../../components/dialog/notice.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';
import { BackLink, Button } from '../../components/form/button.js';
import { TypedField } from '../../components/form/field.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { nameOfLanguage } from '../../lib/languages.js';
import { notify } from '../../lib/notify.js';

const meta = { inPlace: true };

/** Which letters the library sends and when, and the way to the words of each. */
export function LettersPage() {
  usePageTitle(m.own_letters_title());
  const letters = useQuery({ ...queryOf(readLetters), refetchOnMount: 'always', meta });
  return (
    <>
      <BackLink to="/admin/library">{m.library_title()}</BackLink>
      <h2 className="mb-2 text-4">{m.own_letters_title()}</h2>
      <p className="mb-6 max-w-measure text-ink-soft">{m.own_letters_lead()}</p>
      <Loaded
        of={letters}
        waiting={<SkeletonLines label={m.own_letters_loading()} widths={[60, 70, 50, 65]} />}
      >
        {(view) => <Sending key={view.version} view={view} />}
      </Loaded>
    </>
  );
}

function Sending({ view }: { view: LettersView }) {
  const { letters, papers, version, reminderDays } = view;
  const sent = () => letters.flatMap(({ letter, isSent }) => (isSent ? [] : [letter]));
  const [off, setOff] = useState(sent);
  const [after, setAfter] = useState(String(view.overdue.after));
  const [every, setEvery] = useState(String(view.overdue.every));
  const client = useQueryClient();
  const save = useCall(changeSending, {
    meta,
    onSuccess: (saved) => {
      client.setQueryData(keyOf(readLetters), saved);
      notify.success(m.own_letters_saved());
    },
  });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const changed =
    off.toSorted().join() !== sent().toSorted().join() ||
    after !== String(view.overdue.after) ||
    every !== String(view.overdue.every);
  const submit = () => {
    const wrong = { after, every };
    const told = Object.fromEntries(
      Object.entries(wrong)
        .filter(([, typed]) => !/^\d+$/.test(typed) || Number(typed) < 1 || Number(typed) > MOST_DAYS)
        .map(([name]) => [name, m.own_letters_days_wrong({ most: MOST_DAYS })]),
    );
    setErrors(told);
    if (Object.keys(told).length > 0) return;
    save.mutate({ body: { off, overdue: { after: Number(after), every: Number(every) }, version } });
  };
  const turn = (letter: string, isOn: boolean) =>
    setOff((known) => (isOn ? known.filter((each) => each !== letter) : [...known, letter]));
  return (
    <form
      noValidate
      className="max-w-160"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) submit();
      }}
    >
      <UnsavedChanges unsaved={changed} />
      <h3 className="mb-1">{m.own_letters_when()}</h3>
      <p className="note mb-3">
        {m.own_letters_reminder({ days: reminderDays })}{' '}
        <StaffLink to="/admin/rules">{m.own_letters_reminder_rules()}</StaffLink>
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-4 mb-8">
        <TypedField
          label={m.own_letters_overdue_after()}
          value={after}
          onValue={setAfter}
          inputMode="numeric"
          error={errors['after']}
        />
        <TypedField
          label={m.own_letters_overdue_every()}
          value={every}
          onValue={setEvery}
          inputMode="numeric"
          error={errors['every']}
        />
      </div>
      <h3 className="mb-1">{m.own_letters_which()}</h3>
      <p className="note mb-3">{m.own_letters_which_hint()}</p>
      <ul role="list" className="mb-8 [border-top:1px_solid_var(--line)]">
        {letters.map((each) => (
          <Row key={each.letter} {...each} isSent={!off.includes(each.letter)} onTurn={turn} />
        ))}
      </ul>
      <h3 className="mb-1">{m.own_letters_papers()}</h3>
      <p className="note mb-3">{m.own_letters_papers_hint()}</p>
      <ul role="list" className="mb-8 [border-top:1px_solid_var(--line)]">
        {papers.map((each) => (
          <Row key={each.letter} {...each} subject="" />
        ))}
      </ul>
      {save.isError && (
        <Notice
          action={
            save.error instanceof RequestError && save.error.problem?.code === 'ConcurrentChange' ? (
              <Button
                size="small"
                onClick={() => void client.invalidateQueries({ queryKey: keyOf(readLetters) })}
              >
                {m.library_look_again()}
              </Button>
            ) : undefined
          }
        >
          {sentenceOf(save.error)}
        </Notice>
      )}
      <Button type="submit" look="primary" busy={save.isPending} disabled={!changed}>
        {m.own_letters_save()}
      </Button>
    </form>
  );
}

const MOST_DAYS = 365;

function Row({
  letter,
  name,
  subject,
  isOptional,
  isSent,
  own,
  onTurn,
}: LetterSummary & { onTurn?: (letter: string, isOn: boolean) => void }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4 py-2 border-b border-line">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link
            to={`/admin/library/letters/${letter}`}
            className="inline-flex items-center min-h-8 font-strong"
          >
            {name}
          </Link>
          {own.map((language) => (
            <span key={language} className="px-2 rounded bg-accent-wash text-accent-text text-1">
              {m.own_letters_own_in({ language: nameOfLanguage(language) })}
            </span>
          ))}
        </p>
        {subject !== '' && <p className="text-1 text-ink-soft wrap-anywhere">{subject}</p>}
      </div>
      {isOptional && onTurn ? (
        <label className="inline-flex items-center gap-2 min-h-11 text-1 whitespace-nowrap">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={isSent}
            onChange={({ target }) => onTurn(letter, target.checked)}
          />
          {m.own_letters_is_sent()}
          <span className="sr-only">: {name}</span>
        </label>
      ) : (
        onTurn && <span className="text-1 text-ink-soft">{m.own_letters_always()}</span>
      )}
    </li>
  );
}
