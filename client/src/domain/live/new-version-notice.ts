import * as m from '#words/messages.js';
import { notify } from '../../lib/notify.js';

let isSaid = false;

/**
 * Says, once, that the server has another site than this page is of: it was upgraded, or put back, while the page was open.
 * @param build the server's; null where it has none
 */
export function notifyNewVersion(build: string | null): void {
  const own = document.querySelector<HTMLMetaElement>('meta[name="lectern-build"]')?.content ?? '';
  if (isSaid || build === null || own === '' || build === own) return;
  isSaid = true;
  notify.info(m.borrow_live_new_version(), {
    action: { word: m.borrow_live_reload(), onAct: () => window.location.reload() },
    stays: true,
  });
}
