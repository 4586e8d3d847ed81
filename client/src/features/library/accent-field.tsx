import * as m from '#words/messages.js';
import { useFormContext, useWatch } from 'react-hook-form';
import { accentColours, type AccentColours } from '#contracts/library/accent.js';
import type { LibraryFacts } from '#contracts/library/library-facts.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { FACT_NAMES } from './fact-names.js';

/** Where the picker begins while none is chosen: the product's own. */
const PRODUCTS = '#1f5442';
const GROUNDS = {
  day: { name: m.library_by_day(), paper: '#fbf8f1', ink: '#231d17' },
  night: { name: m.library_at_night(), paper: '#27231f', ink: '#ede5d8' },
} as const;

/** The library's colour, and what becomes of it in both themes. */
export function AccentField() {
  const { register, formState, setValue } = useFormContext<LibraryFacts>();
  const accent = useWatch<LibraryFacts, 'accent'>({ name: 'accent' });
  const colours = accentColours(accent.toLowerCase());
  const choose = (colour: string) => setValue('accent', colour, { shouldDirty: true, shouldValidate: true });
  return (
    <div className="flex flex-col gap-3">
      <Field
        label={FACT_NAMES.accent}
        hint={m.library_colour_hint()}
        errors={[formState.errors.accent?.message]}
      >
        {(control) => (
          <div className="flex flex-wrap items-center gap-3">
            <input
              type="color"
              aria-label={m.library_choose_colour()}
              className="size-11 p-1 border border-line-strong rounded bg-surface cursor-pointer"
              value={colours ? accent.toLowerCase() : PRODUCTS}
              onChange={({ target }) => choose(target.value)}
            />
            <input
              {...control}
              {...register('accent')}
              className={`${control.className} max-w-36 tabular-nums`}
              placeholder="#rrggbb"
              autoComplete="off"
              spellCheck={false}
            />
            {accent !== '' && <Button onClick={() => choose('')}>{m.library_usual_colour()}</Button>}
          </div>
        )}
      </Field>
      {colours && (
        <div className="grid grid-cols-2 gap-3 max-w-120 to-760:grid-cols-1">
          <Preview theme="day" colours={colours.day} />
          <Preview theme="night" colours={colours.night} />
        </div>
      )}
    </div>
  );
}

/** A button, a link and what is chosen, as the theme shows them. */
function Preview({ theme, colours }: { theme: keyof typeof GROUNDS; colours: AccentColours }) {
  const { name, paper, ink } = GROUNDS[theme];
  return (
    <figure className="m-0 p-4 border border-line rounded" style={{ background: paper, color: ink }}>
      <figcaption className="mb-3 text-1">{name}</figcaption>
      <div className="flex flex-wrap items-center gap-3 text-1">
        <span className="px-4 py-2 rounded" style={{ background: colours.accent, color: colours.onAccent }}>
          {m.library_preview_button()}
        </span>
        <span className="underline" style={{ color: colours.accentText }}>
          {m.library_preview_link()}
        </span>
        <span
          className="px-2 py-1 rounded"
          style={{ background: colours.accentWash, color: colours.accentText }}
        >
          {m.library_preview_chosen()}
        </span>
      </div>
    </figure>
  );
}
