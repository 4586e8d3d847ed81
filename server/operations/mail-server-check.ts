import { createTransport } from 'nodemailer';
import { withTimeout } from '#platform/with-timeout.js';
import type { Settings } from '#platform/settings.js';

/** Milliseconds for which a result holds: a bad one is looked at sooner. */
const HOLDS = { good: 60_000, bad: 10_000 };
/** Milliseconds that a probe waits for the first result. */
const FIRST_WORD = 1_500;

/**
 * Whether the mail server lets this process in, as a letter would be. It is asked once a minute and in the background:
 * some servers take their time before they greet.
 */
export class MailServerCheck {
  private last: { at: number; ok: boolean } | undefined;
  private asking: Promise<void> | undefined;

  constructor(private readonly settings: Pick<Settings, 'SMTP_URL' | 'SMTP_TIMEOUT_SECONDS'>) {}

  /** @returns nothing before the first answer */
  async isOpen(): Promise<boolean | undefined> {
    const { last } = this;
    const holds = last && Date.now() - last.at < (last.ok ? HOLDS.good : HOLDS.bad);
    if (!holds) this.asking ??= this.ask().finally(() => (this.asking = undefined));
    if (!last && this.asking)
      await withTimeout(FIRST_WORD, this.asking, 'no answer in time').catch(() => undefined);
    return this.last?.ok;
  }

  private async ask(): Promise<void> {
    const { SMTP_URL, SMTP_TIMEOUT_SECONDS } = this.settings;
    const timeout = SMTP_TIMEOUT_SECONDS * 1000;
    const transport = createTransport({
      url: SMTP_URL,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const ok = await transport.verify().then(
      () => true,
      () => false,
    );
    transport.close();
    this.last = { at: Date.now(), ok };
  }
}
