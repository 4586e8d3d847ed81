import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import {
  fetchSearchReport,
  readSearchReport,
  type SearchReport,
} from '#contracts/catalogue/search-report.js';
import { localDay } from '#contracts/local-day.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { sendFile } from '../../http/send-file.js';
import { Serves, type Asked } from '../../http/serves.js';
import { SearchesWithoutResult } from './searches-without-result.js';

const HEADER = ['text', 'times', 'corrected', 'last_day'];

@Controller()
export class SearchReportController {
  constructor(
    private readonly searches: SearchesWithoutResult,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  @Serves(readSearchReport)
  page({ query }: Asked<typeof readSearchReport>): Promise<SearchReport> {
    return this.searches.page(query);
  }

  @Serves(fetchSearchReport)
  async file({ query }: Asked<typeof fetchSearchReport>, @Res() response: Response): Promise<void> {
    const lines = await mapInTimeSlices(await this.searches.all(), ({ text, times, corrected, lastAt }) =>
      csvLine([
        quotedFormula(text),
        String(times),
        String(corrected),
        localDay(new Date(lastAt).getTime(), this.timeZone.name),
      ]),
    );
    const file = Buffer.from([csvLine(HEADER), ...lines].join(''));
    sendFile(response, file, `searches-without-result.${query.format}`);
  }
}
