import { screen, within, type BoundFunctions, type queries } from '@testing-library/react';

export type Queries = BoundFunctions<typeof queries>;

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
