import * as m from '#words/messages.js';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { LANGUAGES, type Language } from '#contracts/languages.js';
import {
  changeLetter,
  previewLetter,
  readLetter,
  readLetters,
  tryLetter,
  type LetterMessage,
  type LetterRole,
  type LetterView,
  type OwnText,
} from '#contracts/library/own-words.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Notice } from '../../components/dialog/notice.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';
import { BackLink, Button } from '../../components/form/button.js';
import { Choice } from '../../components/form/choice.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, send, useCall } from '../../lib/api/send.js';
import { nameOfLanguage, siteLanguage } from '../../lib/languages.js';
import { notify } from '../../lib/notify.js';
import { oneOf, useAddress } from '../../lib/use-address.js';
import { LetterShown } from './letter-shown.js';
import { MessageField } from './message-field.js';
import { useSettled } from './use-settled.js';

const meta = { inPlace: true };
const LETTERS_PAGE = '/admin/library/letters';
/** Milliseconds of rest after which what was typed is shown as a letter. */
const REST = 500;

const ADDRESS = { language: oneOf<Language>('language', LANGUAGES, siteLanguage) };

/** The words of one letter or paper, in one language. */
export function LetterPage() {
  const { letter = '' } = useParams();
  const [{ language }, change] = useAddress(ADDRESS);
  const view = useQuery({
    ...queryOf(readLetter, { params: { letter }, query: { language } }),
    ...{ refetchOnMount: 'always', meta },
  });
  usePageTitle(view.data?.name ?? m.own_letters_title());
  return (
    <>
      <BackLink to={LETTERS_PAGE}>{m.own_letters_title()}</BackLink>
      <Loaded of={view} waiting={<SkeletonLines label={m.own_letters_loading()} widths={[40, 70, 60, 70]} />}>
        {(shown) => (
          <Editor
            key={`${letter} ${language} ${shown.version}`}
            view={shown}
            language={language}
            onLanguage={(chosen) => change({ language: chosen })}
          />
        )}
      </Loaded>
    </>
  );
}

type Words = Record<string, OwnText>;

interface EditorProps {
  view: LetterView;
  language: Language;
  onLanguage: (language: Language) => void;
}

function Editor({ view, language, onLanguage }: EditorProps) {
  const { letter, name, isPaper, cases, version } = view;
  const [words, setWords] = useState<Words>(view.words);
  const [at, setAt] = useState(0);
  const [puttingBack, setPuttingBack] = useState(false);
  const client = useQueryClient();
  const shown = cases[at] ?? cases[0];
  const params = { letter };
  const draft = { language, words, case: at };
  const settled = useSettled(draft, REST);
  const preview = useQuery({
    queryKey: [...keyOf(readLetter, { params, query: { language } }), 'preview', settled],
    queryFn: () => send(previewLetter, { params, body: settled }),
    placeholderData: keepPreviousData,
    retry: false,
    meta,
  });
  const save = useCall(changeLetter, {
    meta,
    onSuccess: (saved) => {
      client.setQueryData(keyOf(readLetter, { params, query: { language } }), saved);
      void client.invalidateQueries({ queryKey: keyOf(readLetters) });
      notify.success(m.own_letters_saved());
    },
  });
  const test = useCall(tryLetter, { meta, onSuccess: () => notify.success(m.own_letters_test_sent()) });
  const changed = JSON.stringify(words) !== JSON.stringify(view.words);
  const refused = [save.error, preview.error].find(
    (error) => error instanceof RequestError && error.fieldErrors,
  );
  const errors = refused instanceof RequestError ? (refused.fieldErrors ?? {}) : {};
  const look = () =>
    void client.invalidateQueries({ queryKey: keyOf(readLetter, { params, query: { language } }) });
  const say = (key: string, texts: OwnText | undefined) => {
    save.reset();
    setWords(({ [key]: _before, ...others }) => (texts ? { ...others, [key]: texts } : others));
  };
  const putBack = () => {
    setPuttingBack(false);
    save.mutate({ params, body: { language, words: {}, version } });
  };
  if (!shown) return null;
  const inRoles = (...roles: LetterRole[]) => shown.messages.filter(({ role }) => roles.includes(role));
  const fields = (messages: readonly LetterMessage[]) =>
    messages.map((message) => (
      <MessageField
        key={message.key}
        message={message}
        own={words[message.key]}
        errors={errors}
        onSay={(texts) => say(message.key, texts)}
      />
    ));
  const small = inRoles('button', 'label');
  return (
    <>
      <UnsavedChanges unsaved={changed} />
      <h2 className="mb-2 text-4">{name}</h2>
      <p className="mb-4 max-w-measure text-ink-soft">
        {isPaper ? m.own_letters_paper_lead() : m.own_letters_letter_lead()}
      </p>
      <div className="flex flex-wrap gap-x-6 gap-y-2 mb-6">
        <Choice
          label={m.own_letters_language()}
          value={language}
          options={LANGUAGES.map((each) => ({ value: each, label: nameOfLanguage(each) }))}
          onChoose={onLanguage}
        />
        {cases.length > 1 && (
          <Choice
            label={m.own_letters_case()}
            value={at}
            options={cases.map(({ subject }, value) => ({ value, label: subject }))}
            onChoose={setAt}
          />
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-8 items-start to-960:grid-cols-1">
        <form
          noValidate
          className="flex flex-col gap-5 min-w-0 [&_textarea]:resize-y"
          onSubmit={(event) => {
            event.preventDefault();
            if (!save.isPending) save.mutate({ params, body: { language, words, version } });
          }}
        >
          {fields(inRoles('head', 'foot', 'subject', 'heading', 'text'))}
          {small.length > 0 && (
            <details className="[border-top:1px_solid_var(--line)] pt-3">
              <summary className="cursor-pointer min-h-11 font-strong">{m.own_letters_small_texts()}</summary>
              <div className="flex flex-col gap-5 pt-2">{fields(small)}</div>
            </details>
          )}
          {save.isError && save.error instanceof RequestError && !save.error.fieldErrors && (
            <Notice
              action={
                <Button size="small" onClick={look}>
                  {m.library_look_again()}
                </Button>
              }
            >
              {sentenceOf(save.error)}
            </Notice>
          )}
          {test.isError && <Notice>{sentenceOf(test.error)}</Notice>}
          <div className="flex flex-wrap gap-3">
            <Button type="submit" look="primary" busy={save.isPending} disabled={!changed}>
              {m.own_letters_save()}
            </Button>
            {!isPaper && (
              <Button busy={test.isPending} onClick={() => test.mutate({ params, body: draft })}>
                {m.own_letters_test()}
              </Button>
            )}
            {Object.keys(view.words).length > 0 && (
              <Button look="plain" onClick={() => setPuttingBack(true)}>
                {m.own_letters_put_back()}
              </Button>
            )}
          </div>
        </form>
        <LetterShown preview={preview.data} isWrong={preview.isError} isPaper={isPaper} />
      </div>
      {puttingBack && (
        <Confirmation
          question={m.own_letters_put_back_question()}
          action={m.own_letters_put_back()}
          onConfirm={putBack}
          onDecline={() => setPuttingBack(false)}
        >
          {m.own_letters_put_back_lost({ language: nameOfLanguage(language) })}
        </Confirmation>
      )}
    </>
  );
}
