import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import {
  searchFileQuerySchema,
  searchReportQuerySchema,
  searchReportSchema,
  type SearchReport,
  type SearchReportQuery,
} from '#contracts/catalogue/search-report.js';
import { localDay } from '#contracts/local-day.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { Allow } from '../../http/access.js';
import { Answers, AnswersFile } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { SearchesWithoutResult } from './searches-without-result.js';

const CSV = 'text/csv';
const HEADER = ['text', 'times', 'corrected', 'last_day'];

/** What was searched for and not found, for librarians. */
@Controller('SearchReport')
@Allow('Admin')
export class SearchReportController {
  constructor(
    private readonly searches: SearchesWithoutResult,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  @Get()
  @Answers(searchReportSchema)
  page(@Query(valid(searchReportQuerySchema)) query: SearchReportQuery): Promise<SearchReport> {
    return this.searches.page(query);
  }

  @Get('file')
  @AnswersFile(CSV)
  async file(
    @Query(valid(searchFileQuerySchema)) { format }: z.output<typeof searchFileQuerySchema>,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await mapInTimeSlices(await this.searches.all(), ({ text, times, corrected, lastAt }) =>
      csvLine([
        quotedFormula(text),
        String(times),
        String(corrected),
        localDay(new Date(lastAt).getTime(), this.timeZone.name),
      ]),
    );
    response.setHeader('content-type', `${CSV}; charset=utf-8`);
    response.setHeader('content-disposition', `attachment; filename="searches-without-result.${format}"`);
    response.setHeader('cache-control', 'no-store');
    response.end([csvLine(HEADER), ...lines].join(''));
  }
}
