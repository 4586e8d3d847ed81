import { appNavigation } from '../lib/app-navigation.js';
import { session } from '../lib/session.js';

/** Where second factors are added. */
export const SECOND_FACTOR_PAGE = '/profile/security';

/** The account needs a second factor before anything else: leads to where it is added, which says why. */
export function leadToSecondFactor(): void {
  session.setNeedsSecondFactor(true);
  if (appNavigation.here().startsWith(SECOND_FACTOR_PAGE)) return;
  void appNavigation.go(SECOND_FACTOR_PAGE);
}
