import { usePageTitle } from '../../domain/use-page-title.js';
import { PasswordSection } from './password-section.js';
import styles from './security-page.module.css';
import { SessionsSection } from './sessions-section.js';

/** What one's own account is secured by: the password, and where it is logged in. */
export function SecurityPage() {
  usePageTitle('Security');
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        <h1>Security</h1>
        <p className={styles.lead}>What protects your account, and where it is open.</p>
      </header>
      <PasswordSection />
      <SessionsSection />
    </div>
  );
}
