import type { Correction } from '#contracts/catalogue/book-views.js';

/** Says which words no book has, and what was looked for instead. */
export function SpellingCorrection({ corrections }: { corrections: readonly Correction[] }) {
  return (
    <p className="pl-3 border-l-3 border-accent-text wrap-anywhere [&_strong]:font-semibold" role="status">
      {corrections.map(({ typed, read }) => (
        <span key={typed}>
          Nothing is found with “{typed}”: showing books with{' '}
          {read.map((word, at) => (
            <span key={word}>
              {at > 0 && ' or '}
              <strong>{word}</strong>
            </span>
          ))}
          .{' '}
        </span>
      ))}
    </p>
  );
}
