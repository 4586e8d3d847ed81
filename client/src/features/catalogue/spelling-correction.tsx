import { Marked } from '../../components/display/marked.js';
import type { Correction } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';

/** Says which words no book has, and what was looked for instead. */
export function SpellingCorrection({ corrections }: { corrections: readonly Correction[] }) {
  return (
    <p className="pl-3 border-l-3 border-accent-text wrap-anywhere [&_strong]:font-semibold" role="status">
      {corrections.map(({ typed, read }) => (
        <span key={typed}>
          <Marked
            parts={m.catalog_corrected.parts({ typed })}
            as={{
              words: () =>
                read.map((word, at) => (
                  <span key={word}>
                    {at > 0 && m.catalog_or()}
                    <strong>{word}</strong>
                  </span>
                )),
            }}
          />{' '}
        </span>
      ))}
    </p>
  );
}
