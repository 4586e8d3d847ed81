import type { BrowserPage } from '../../test-support/browser/browser-page.js';

/** A field of a form as a person meets it, by its label. */
export interface FormField {
  /** Puts this text in its place, and leaves it. */
  type(text: string): Promise<void>;
  /** Takes out what is in it, and leaves it. */
  clear(): Promise<void>;
  /** What is in it, once it is there. */
  value(): Promise<string>;
  /** Waits until it has exactly these messages. */
  says(...messages: string[]): Promise<void>;
}

/** Where the person is: in the window over the page, if there is one. */
const SCOPE = `([...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1) ?? document)`;

/** Finds a field by the words of its label. */
export function field(page: BrowserPage, label: string): FormField {
  const messages = async () =>
    (await page.raw.evaluate(`(() => {
      const label = [...${SCOPE}.querySelectorAll('label')].find((each) => each.textContent.trim() === ${JSON.stringify(label)});
      const place = label && document.getElementById(label.htmlFor + '-errors');
      return place ? [...place.children].map((each) => each.textContent) : ['there is no field ' + ${JSON.stringify(label)}];
    })()`)) as string[];
  // Windows may open a moment after the click: the field is waited for.
  const value = async () => {
    const found = await page.until(
      () =>
        page.raw.evaluate(`(() => {
          const label = [...${SCOPE}.querySelectorAll('label')].find((each) => each.textContent.trim() === ${JSON.stringify(label)});
          const field = label && document.getElementById(label.htmlFor);
          return field ? { value: field.value } : false;
        })()`) as Promise<{ value: string } | false>,
      `the field ${label}`,
    );
    return found.value;
  };
  const leave = () => page.raw.evaluate('document.activeElement?.blur()');
  return {
    value,
    type: async (text) => {
      await page.fill(label, text);
      await leave();
    },
    clear: async () => {
      await page.fill(label, '');
      await leave();
    },
    says: async (...expected) =>
      void (await page.until(
        async () => JSON.stringify(await messages()) === JSON.stringify(expected),
        `${label} says ${JSON.stringify(expected)} (it says ${JSON.stringify(await messages())})`,
      )),
  };
}

/** Whether the button with these words can be pressed. */
export async function canPress(page: BrowserPage, name: string): Promise<boolean> {
  return (await page.raw.evaluate(`(() => {
    const button = [...${SCOPE}.querySelectorAll('button')].find((each) => each.textContent.trim() === ${JSON.stringify(name)});
    if (!button) throw new Error('There is no button ' + ${JSON.stringify(name)});
    return !button.disabled && button.getAttribute('aria-disabled') !== 'true';
  })()`)) as boolean;
}
