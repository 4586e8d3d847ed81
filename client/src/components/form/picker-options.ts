import { foldText } from '#contracts/fold-text.js';

export interface PickerOption {
  id: number;
  name: string;
}

/** How many options a list draws; to find more, type. */
export const MAX_SHOWN_OPTIONS = 100;

/**
 * The options with every word of the text in their names, without regard to case and accents. Without a text all of
 * them, those that come first in front.
 */
export function findOptions(
  options: readonly PickerOption[],
  first: readonly PickerOption[],
  text: string,
): readonly PickerOption[] {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  if (words.length > 0)
    return options.filter(({ name }) => {
      const folded = foldText(name);
      return words.every((word) => folded.includes(word));
    });
  if (first.length === 0) return options;
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...options.filter(({ id }) => !ids.has(id))];
}
