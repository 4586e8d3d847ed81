import { appNavigation } from '../lib/app-navigation.js';

/** Where second factors are added. */
const PAGE = '/profile/security';

/** The account needs a second factor before anything else: leads to where it is added, which says why. */
export function leadToSecondFactor(): void {
  if (appNavigation.here().startsWith(PAGE)) return;
  void appNavigation.go(PAGE);
}
