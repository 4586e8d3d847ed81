import { usePageTitle } from '../../domain/use-page-title.js';
import { needsSecondFactor, useUser } from '../../lib/session.js';
import { PasswordSection } from './password-section.js';
import { SecondFactorSection } from './second-factor/second-factor-section.js';
import styles from './security-page.module.css';
import { SessionsSection } from './sessions-section.js';

/** What one's own account is secured by: the password, and where it is logged in. */
export function SecurityPage() {
  usePageTitle('Security');
  // Until it is added, the server answers nothing else.
  const isFirst = needsSecondFactor(useUser());
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <h1>Security</h1>
        <p className={styles.lead}>What protects your account, and where it is open.</p>
      </header>
      {!isFirst && <PasswordSection />}
      <SecondFactorSection />
      {!isFirst && <SessionsSection />}
    </div>
  );
}
