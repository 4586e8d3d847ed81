import type { BrowserPage } from '../../test-support/browser/browser-page.js';
import { wasTold } from '../../test-support/browser/told.js';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';

/** Waits for a toast of this kind with exactly this text (its title first, if it has one), and closes it by its button. */
export async function toast(page: BrowserPage, kind: ToastKind, text: string): Promise<void> {
  await page.until(() => closeToast(page, kind, text), `a toast (${kind}) “${text}”`);
  await page.until(
    async () => !(await toasts(page)).some((each) => each === `${kind}: ${text}`),
    `the toast “${text}” goes when it is closed`,
  );
}

/** What the toasts say now, as `kind: text`. */
export async function toasts(page: BrowserPage): Promise<string[]> {
  return (await page.raw.evaluate(`(${ALL})().map(({ kind, text }) => kind + ': ' + text)`)) as string[];
}

async function closeToast(page: BrowserPage, kind: ToastKind, text: string): Promise<boolean> {
  return (await page.raw.evaluate(`(() => {
    const found = (${ALL})().find((each) => each.kind === ${JSON.stringify(kind)} && each.text === ${JSON.stringify(text)});
    const button = found?.element.querySelector('.Toastify__close-button');
    button?.click();
    // It may be over already.
    return [Boolean(button), ${wasTold(text, `Toastify__toast--${kind}`)}].some(Boolean);
  })()`)) as boolean;
}

const ALL = `() => [...document.querySelectorAll('.Toastify__toast')].map((element) => ({
  element,
  kind: [...element.classList].map((name) => /^Toastify__toast--(success|error|warning|info)$/.exec(name)?.[1]).find(Boolean),
  text: [...element.childNodes]
    .filter((node) => !node.classList?.contains('Toastify__close-button'))
    .flatMap((node) => (node.querySelector?.('strong') ? [...node.childNodes] : [node]))
    .map((node) => node.textContent.trim())
    .filter(Boolean)
    .join(' '),
}))`;
