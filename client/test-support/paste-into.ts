import type { userEvent } from '@testing-library/user-event';

/** Fills a field at once, where what each letter does is not the matter. */
export async function pasteInto(
  person: ReturnType<typeof userEvent.setup>,
  field: HTMLElement,
  text: string,
): Promise<void> {
  await person.click(field);
  await person.paste(text);
}
