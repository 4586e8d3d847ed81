import * as m from '#words/messages.js';
import { memo } from 'react';
import { languageOptions } from '../../../domain/catalogue/languages.js';

/** The languages to choose from, drawn once for all that is typed elsewhere in the form. */
export const LanguageOptions = memo(function LanguageOptions({ chosen }: { chosen: string }) {
  return (
    <>
      <option value="">{m.book_form_language_unknown()}</option>
      {languageOptions(chosen).map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </>
  );
});
