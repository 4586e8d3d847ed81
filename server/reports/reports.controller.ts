import { Controller, Res, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import * as calls from '#contracts/reports/report.js';
import {
  REPORT_FILES,
  type ReportKind,
  type ReportRequest,
  type ReportView,
} from '#contracts/reports/report.js';
import * as m from '#words/messages.js';
import type { SignedIn } from '../http/access.js';
import { Closing } from '../http/closing.js';
import { Serves, type Asked } from '../http/serves.js';
import { Reports, type ReportFile } from './reports.js';

/** Printed reports (specification, section 2, "Admin reports", and section 7, "Dashboard"). */
@Controller()
export class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly closing: Closing,
  ) {}

  @Serves(calls.printInventory)
  inventory(
    { caller, query: options }: Asked<typeof calls.printInventory>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.answer({ kind: 'inventory', options }, caller, response);
  }

  @Serves(calls.printStickers)
  stickers(
    { caller, query: options }: Asked<typeof calls.printStickers>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.answer({ kind: 'stickers', options }, caller, response);
  }

  @Serves(calls.askForReport)
  async ask({ caller, body }: Asked<typeof calls.askForReport>): Promise<{ reportId: string }> {
    return { reportId: await this.reports.ask(body, caller.accountId) };
  }

  @Serves(calls.listReports)
  recent(): Promise<ReportView[]> {
    return this.reports.recent();
  }

  @Serves(calls.fetchReport)
  async file({ params: { id } }: Asked<typeof calls.fetchReport>): Promise<StreamableFile> {
    const { kind, ...file } = await this.reports.file(id);
    return asFile(kind, file);
  }

  private async answer(
    request: ReportRequest,
    caller: SignedIn,
    response: Response,
  ): Promise<StreamableFile> {
    const id = await this.reports.ask(request, caller.accountId);
    const gone = new AbortController();
    const leave = () => gone.abort(new DomainError('ReportNotReady', m.report_no_longer_made()));
    response.once('close', leave);
    try {
      return asFile(
        request.kind,
        await this.reports.made(id, AbortSignal.any([gone.signal, this.closing.signal])),
      );
    } finally {
      response.off('close', leave);
    }
  }
}

function asFile(kind: ReportKind, { size, pieces }: ReportFile): StreamableFile {
  return new StreamableFile(Readable.from(pieces, { objectMode: false }), {
    type: 'application/pdf',
    disposition: `attachment; filename="${REPORT_FILES[kind]}"`,
    length: size,
  });
}
