import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import type { z } from 'zod';
import {
  askedReportSchema,
  inventoryOptionsSchema,
  REPORT_FILES,
  reportParamsSchema,
  reportRequestSchema,
  reportViewsSchema,
  stickerOptionsSchema,
  type ReportKind,
  type ReportRequest,
  type ReportView,
  type StickerOptions,
} from '#contracts/reports/report.js';
import { DomainError } from '#contracts/domain-error.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { MayTakeLong } from '../http/answer-in-time.js';
import { Answers, AnswersFile } from '../http/answers.js';
import { Closing } from '../http/closing.js';
import { valid } from '../http/validation.js';
import { Reports, type ReportFile } from './reports.js';

/** Printed reports (specification, section 2, "Admin reports", and section 7, "Dashboard"). */
@Controller('Dashboard')
@Allow('Admin')
export class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly closing: Closing,
  ) {}

  @Get('bookRaport')
  @MayTakeLong()
  @AnswersFile('application/pdf')
  inventory(
    @Query(valid(inventoryOptionsSchema)) options: z.output<typeof inventoryOptionsSchema>,
    @Caller() caller: SignedIn,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.answer({ kind: 'inventory', options }, caller, response);
  }

  @Get('generate-stickers')
  @MayTakeLong()
  @AnswersFile('application/pdf')
  stickers(
    @Query(valid(stickerOptionsSchema)) options: StickerOptions,
    @Caller() caller: SignedIn,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return this.answer({ kind: 'stickers', options }, caller, response);
  }

  /** Like the two above, without waiting for the file: it is fetched when ready. */
  @Post('reports')
  @HttpCode(202)
  @Answers(askedReportSchema)
  async ask(
    @Body(valid(reportRequestSchema)) request: ReportRequest,
    @Caller() caller: SignedIn,
  ): Promise<{ reportId: string }> {
    return { reportId: await this.reports.ask(request, caller.accountId) };
  }

  @Get('reports')
  @Answers(reportViewsSchema)
  recent(): Promise<ReportView[]> {
    return this.reports.recent();
  }

  @Get('reports/:id/file')
  @AnswersFile('application/pdf')
  async file(
    @Param(valid(reportParamsSchema)) { id }: z.output<typeof reportParamsSchema>,
  ): Promise<StreamableFile> {
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
    const leave = () =>
      gone.abort(new DomainError('ReportNotReady', 'Nobody waits for this report any more.'));
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
