import {
  buildQueries,
  getDefaultNormalizer,
  queries,
  waitFor,
  within as withinBy,
  type BoundFunctions,
  type ByRoleMatcher,
  type ByRoleOptions,
  type Matcher,
  type waitForOptions,
} from '@testing-library/react';

type Find<Id, Options, Found> = (container: HTMLElement, id: Id, options?: Options) => Found;

const inWords = (_key: string, value: unknown) => (value instanceof RegExp ? String(value) : value);

/** Waits for one element. The document is printed once, after the last try: the library's own does so after each. */
function waiting<Id, Options>(
  queryAll: Find<Id, Options, HTMLElement[]>,
  getBy: Find<Id, Options, HTMLElement>,
) {
  return (container: HTMLElement, id: Id, options?: Options, wait?: waitForOptions) =>
    waitFor(
      () => {
        const [first, ...others] = queryAll(container, id, options);
        if (!first)
          throw new Error(`Nothing was found by ${String(id)} ${JSON.stringify(options, inWords) ?? ''}`);
        return others.length === 0 ? first : getBy(container, id, options);
      },
      { container, ...wait },
    );
}

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

const [queryByLabelText, getAllByLabelText, getByLabelText, findAllByLabelText] = buildQueries(
  queryAllByLabelText,
  (_container, text) => `Several fields have the label ${String(text)}`,
  (_container, text) => `No field has the label ${String(text)}`,
);
const byLabelText = {
  ...{ queryAllByLabelText, queryByLabelText, getAllByLabelText },
  ...{ getByLabelText, findAllByLabelText, findByLabelText: waiting(queryAllByLabelText, getByLabelText) },
};

/** What gives an element a name that is not among its texts. */
const NAMING =
  '[aria-label], [aria-labelledby], [title], [alt], [aria-valuetext], [aria-valuenow], [aria-owns]';
const FIELDS = 'input, select, textarea';

/** Whether an element can have this name; `true` where only its computation tells. */
function mayHaveName(element: HTMLElement, name: string): boolean {
  const label = element.getAttribute('aria-label') ?? '';
  const isOnlyLabelled = label.trim() !== '' && !element.hasAttribute('aria-labelledby');
  const isNamedElsewhere =
    element.matches(`${NAMING}, ${FIELDS}, [id], label *`) ||
    element.querySelector(`${NAMING}, ${FIELDS}`) !== null;
  if (isNamedElsewhere && !isOnlyLabelled) return true;
  // Neither hidden texts nor the spaces between blocks need be the same, but the letters of the name come in this order.
  const letters = name.replaceAll(/\s/g, '');
  let found = 0;
  for (const letter of isOnlyLabelled ? label : element.textContent) if (letter === letters[found]) found++;
  return found === letters.length;
}

/**
 * As the library's own query, which computes the name of every element of the role, for which jsdom computes the style of
 * everything inside: here only of those whose texts have the letters of the name.
 */
function queryAllByRole(
  container: HTMLElement,
  role: ByRoleMatcher,
  options: ByRoleOptions = {},
): HTMLElement[] {
  const { name } = options;
  if (typeof name !== 'string') return queries.queryAllByRole(container, role, options);
  const { name: _name, ...withoutName } = options;
  return queries
    .queryAllByRole(container, role, { ...withoutName, hidden: true })
    .filter((element) => mayHaveName(element, name))
    .filter((element) =>
      queries.queryAllByRole(element.parentElement ?? container, role, options).includes(element),
    );
}

const named = ({ name }: ByRoleOptions = {}) => (name === undefined ? '' : ` and the name ${String(name)}`);
const [queryByRole, getAllByRole, getByRole, findAllByRole] = buildQueries(
  queryAllByRole,
  (_container, role, options) => `Several elements have the role ${role}${named(options)}`,
  (_container, role, options) => `No accessible element has the role ${role}${named(options)}`,
);
const byRole = {
  ...{ queryAllByRole, queryByRole, getAllByRole, getByRole, findAllByRole },
  findByRole: waiting(queryAllByRole, getByRole),
};
const findByText = waiting(queries.queryAllByText, queries.getByText);

// The types of the library's own queries let a call name the element, as in `getByLabelText<HTMLInputElement>`.
const QUERIES = { ...queries, ...byLabelText, ...byRole, findByText } as typeof queries;

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
