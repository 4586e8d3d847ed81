import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { PermanentJobError } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import type { RenderedLetter } from './letter.js';

/** The mail server did not take a letter; the message says why and names no recipient. */
export class LetterRejected extends Error {}

/** The mail server takes no letter at all for now. */
export class MailServerUnavailable extends LetterRejected {}

/** The sender's, where neither `SMTP_FROM` nor the library says one. */
const NO_ADDRESS = 'library@localhost';

/** Sends letters through the installation's mail server. Where there is none, they wait in the ledger. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport;
  private readonly host: string;

  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) logger: Logger,
    private readonly library: LibraryFacts,
  ) {
    if (settings.SMTP_URL === undefined && settings.JOBS === 'on') {
      logger.warn('no mail server is set: letters wait, and nobody can register until SMTP_URL is set');
    }
    this.host = new URL(publicUrl(settings)).hostname;
    const timeout = settings.SMTP_TIMEOUT_SECONDS * 1000;
    this.transport =
      settings.SMTP_URL !== undefined
        ? createTransport({
            pool: true,
            url: settings.SMTP_URL,
            maxConnections: 4,
            connectionTimeout: timeout,
            greetingTimeout: timeout,
            socketTimeout: timeout,
            disableFileAccess: true,
            disableUrlAccess: true,
          })
        : undefined;
  }

  /**
   * Sends a letter: on return, the mail server has accepted it.
   * @param id for letters that may be sent twice: mail programs recognise the duplicate by it
   * @throws LetterRejected; PermanentJobError if the address is refused permanently
   */
  async send(to: string, { subject, html, text }: RenderedLetter, id?: string): Promise<void> {
    if (!this.transport) throw new MailServerUnavailable('There is no mail server: set SMTP_URL.');
    const { name, all } = this.library;
    try {
      await this.transport.sendMail({
        from: this.settings.SMTP_FROM ?? { name, address: all.email || NO_ADDRESS },
        ...(all.email !== '' && { replyTo: { name, address: all.email } }),
        to: { name: '', address: to },
        subject,
        html,
        text,
        ...(id !== undefined && { messageId: `<${id}@${this.host}>` }),
        // Prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      // The mail server's message, and so the original error, names the recipient.
      if (isAddressRefused(error)) {
        throw new PermanentJobError(`The mail server takes no letters to this address (${reasonOf(error)}).`);
      }
      const Problem = isServerAway(error) ? MailServerUnavailable : LetterRejected;
      throw new Problem(`The mail server did not take the letter (${reasonOf(error)}).`);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

/** A 5xx for the recipient: sending there again and again gets the sender marked as spam. */
function isAddressRefused(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number };
  return command === 'RCPT TO' && responseCode >= 500;
}

/** No connection, none that is let in, or one that broke off: the next letter would fare the same. */
function isServerAway(error: unknown): boolean {
  return AWAY.has((error as { code?: string }).code ?? '');
}

const AWAY = new Set(['ECONNECTION', 'ECONNREFUSED', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EAUTH']);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const parts = ['code', 'command', 'responseCode'].map(
    (name) => (error as unknown as Record<string, unknown>)[name],
  );
  const known = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return known.length > 0 ? known.join(' ') : 'unknown';
}
