import { Controller, Get, Inject, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { LibraryFacts } from '#platform/library-facts.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { Allow } from '../../http/access.js';
import { valid } from '../../http/validation.js';
import { sandboxPage, SANDBOX_STYLE_SOURCE } from './sandbox-page.js';
import type { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';
import { SandboxProvider } from './sandbox.provider.js';

/** The path of the pages, beside the API. */
export const SANDBOX_ROUTES = 'dev/pay/{*path}';

const parametersSchema = z.object({ reference: z.string().max(100) });
const referenceIn = (parameters: unknown) => valid(parametersSchema, parameters).reference;

/** The sandbox provider's page. The reference cannot be guessed; anybody who has it may pay. */
@Controller('dev/pay')
export class SandboxController {
  /** Empty if our address is not set: then the page stays on the host it was opened by. */
  private readonly base: string;

  constructor(
    private readonly sandbox: SandboxProvider,
    @Inject(SETTINGS) settings: ResolvedSettings,
    private readonly library: LibraryFacts,
  ) {
    this.base = settings.PUBLIC_URL === undefined ? '' : publicUrl(settings);
  }

  @Get(':reference')
  @Allow('Everybody')
  async show(@Param() parameters: unknown, @Res() response: Response): Promise<void> {
    this.send(response, await this.sandbox.find(referenceIn(parameters)));
  }

  @Post(':reference/pay')
  @Allow('Everybody')
  async pay(@Param() parameters: unknown, @Res() response: Response): Promise<void> {
    this.goOn(response, await this.sandbox.choose(referenceIn(parameters), 'pay'));
  }

  @Post(':reference/decline')
  @Allow('Everybody')
  async decline(@Param() parameters: unknown, @Res() response: Response): Promise<void> {
    this.goOn(response, await this.sandbox.choose(referenceIn(parameters), 'decline'));
  }

  /** Redirects back to the library, as a real provider does. */
  private goOn(response: Response, payment: SandboxPaymentEntity | null): void {
    if (!payment) return this.send(response, payment);
    const page = payment.status === 'paid' ? 'success' : 'fail';
    this.secure(response).redirect(303, `${this.base}/#/payment/${page}`);
  }

  private send(response: Response, payment: SandboxPaymentEntity | null): void {
    this.secure(response)
      .status(payment ? 200 : 404)
      .type('html')
      .send(sandboxPage(payment, { name: this.library.name, url: `${this.base}/` }));
  }

  /** The reference authorises the payment: no other site may see it, frame the page or post its form. */
  private secure(response: Response): Response {
    // Browsers apply `form-action` to the redirects after the form as well.
    const returnTo = this.base === '' ? '' : ` ${new URL(this.base).origin}`;
    return response.set({
      'content-security-policy':
        `default-src 'none'; style-src ${SANDBOX_STYLE_SOURCE}; font-src 'self'; img-src data:; base-uri 'none'; ` +
        `form-action 'self'${returnTo}; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  }
}
