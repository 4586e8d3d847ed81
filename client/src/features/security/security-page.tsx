import * as m from '#words/messages.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { needsSecondFactor, useUser } from '../../lib/session.js';
import { PinSection } from './pin-section.js';
import { PasswordSection } from './password-section.js';
import { SecondFactorSection } from './second-factor/second-factor-section.js';
import { SessionsSection } from './sessions-section.js';

/** What one's own account is secured by: the password, and where it is signed in. */
export function SecurityPage() {
  usePageTitle(m.security_title());
  // Until it is added, the server answers nothing else.
  const isFirst = needsSecondFactor(useUser());
  return (
    <div className="flex flex-col gap-10 w-full max-w-208 mx-auto p-gutter pt-10 pb-16">
      <header>
        <h1>{m.security_title()}</h1>
        <p className="max-w-measure text-ink-soft mt-2">{m.security_lead()}</p>
      </header>
      {!isFirst && <PasswordSection />}
      {!isFirst && <PinSection />}
      <SecondFactorSection />
      {!isFirst && <SessionsSection />}
    </div>
  );
}
