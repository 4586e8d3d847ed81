import * as m from '#words/messages.js';
import { appNavigation, type LoginState } from '../lib/app-navigation.js';
import { notify } from '../lib/notify.js';
import { session } from '../lib/session.js';

let ending = false;

/** The session is over: says so, and brings the person back here after signing in again. The cart is kept. */
export function endSession(): void {
  if (ending || !session.current()) return;
  ending = true;
  const state: LoginState = { from: appNavigation.here(), sessionOver: true };
  notify.info(m.site_session_over());
  // First out of any guarded page, so that leaving it is not taken for being turned away.
  void Promise.resolve(appNavigation.go('/login', state)).finally(() => {
    session.end();
    ending = false;
  });
}

/** Where second factors are added. */
export const SECOND_FACTOR_PAGE = '/profile/security';

/** The account needs a second factor before anything else: leads to where it is added, which says why. */
export function leadToSecondFactor(): void {
  session.setNeedsSecondFactor(true);
  if (appNavigation.here().startsWith(SECOND_FACTOR_PAGE)) return;
  void appNavigation.go(SECOND_FACTOR_PAGE);
}
