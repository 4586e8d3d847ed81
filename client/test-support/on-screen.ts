import {
  buildQueries,
  getDefaultNormalizer,
  queries,
  within as withinBy,
  type BoundFunctions,
  type Matcher,
} from '@testing-library/react';

const CONTROLS = 'button, input, meter, output, progress, select, textarea';
const normalize = getDefaultNormalizer();

/** The words of a label, without those of the field inside it. */
function wordsOf(label: Element): string {
  const words = label.cloneNode(true) as Element;
  for (const control of words.querySelectorAll(CONTROLS)) control.remove();
  return normalize(words.textContent);
}

/**
 * Finds fields by their labels in one pass: jsdom compares every element with every label for the library's own query.
 * A string is the whole label, as with the library.
 */
function queryAllByLabelText(
  container: HTMLElement,
  text: Matcher,
  { selector = '*' }: { selector?: string } = {},
): HTMLElement[] {
  const matches = (words: string) =>
    text instanceof RegExp ? new RegExp(text).test(words) : words === String(text);
  const found = new Set<Element | null>();
  for (const label of container.querySelectorAll('label'))
    if (matches(wordsOf(label))) found.add(label.control);
  for (const element of container.querySelectorAll('[aria-labelledby], [aria-label]')) {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = ids.map((id) => wordsOf(document.getElementById(id) ?? document.createElement('i')));
    if (matches(normalize(element.getAttribute('aria-label') ?? labels.join(' ')))) found.add(element);
  }
  return [...found].filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement && container.contains(element) && element.matches(selector),
  );
}

const [queryByLabelText, getAllByLabelText, getByLabelText, findAllByLabelText, findByLabelText] =
  buildQueries(
    queryAllByLabelText,
    (_container, text) => `Several fields have the label ${String(text)}`,
    (_container, text) => `No field has the label ${String(text)}`,
  );
const byLabelText = {
  ...{ queryAllByLabelText, queryByLabelText, getAllByLabelText },
  ...{ getByLabelText, findAllByLabelText, findByLabelText },
};

// The types of the library's own queries let a call name the element, as in `getByLabelText<HTMLInputElement>`.
const QUERIES = { ...queries, ...byLabelText } as typeof queries;

export type Queries = BoundFunctions<typeof queries>;

export const within = (element: HTMLElement): Queries => withinBy(element, QUERIES);
export const screen = within(document.body);

/** Each of the texts stands on the screen, now or soon. */
export async function sees(...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) expect(await screen.findByText(text)).toBeTruthy();
}

/** What is in a dialog, once it is open. */
export const openDialog = async (name?: string | RegExp) =>
  within(await screen.findByRole('dialog', name === undefined ? {} : { name }));

/** What is in a question, once it is asked. */
export const openQuestion = async (name?: string | RegExp) =>
  within(await screen.findByRole('alertdialog', name === undefined ? {} : { name }));

export const textsOf = (elements: Iterable<Element>) => [...elements].map(({ textContent }) => textContent);
