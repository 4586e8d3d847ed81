import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  genresInsightSchema,
  happeningsPageSchema,
  happeningsQuerySchema,
  hoursInsightSchema,
  idleInsightSchema,
  insightFileQuerySchema,
  insightQuerySchema,
  titlesInsightSchema,
  wantedInsightSchema,
  wantedQuerySchema,
  type GenresInsight,
  type HappeningsPage,
  type HappeningsQuery,
  type HoursInsight,
  type IdleInsight,
  type InsightFileQuery,
  type InsightQuery,
  type TitlesInsight,
  type WantedInsight,
  type WantedQuery,
} from '#contracts/insight/insight.js';
import { Allow } from '../http/access.js';
import { MayTakeLong } from '../http/answer-in-time.js';
import { Answers, AnswersFile } from '../http/answers.js';
import { valid } from '../http/validation.js';
import { InsightFigures } from './insight-figures.js';
import { InsightFile } from './insight-file.js';
import { WantedTitles } from './wanted-titles.js';

const CSV = 'text/csv';

/** What the log can be asked by librarians and auditors. No answer names a person, so none of these is a look at somebody. Each has a deadline of its own. */
@Controller('Insight')
@Allow('Auditor', 'Admin')
@MayTakeLong()
export class InsightController {
  constructor(
    private readonly figures: InsightFigures,
    private readonly wantedTitles: WantedTitles,
    private readonly files: InsightFile,
  ) {}

  @Get('titles')
  @Answers(titlesInsightSchema)
  titles(@Query(valid(insightQuerySchema)) query: InsightQuery): Promise<TitlesInsight> {
    return this.figures.titles(query);
  }

  @Get('genres')
  @Answers(genresInsightSchema)
  genres(@Query(valid(insightQuerySchema)) query: InsightQuery): Promise<GenresInsight> {
    return this.figures.genres(query);
  }

  @Get('idle')
  @Answers(idleInsightSchema)
  idle(@Query(valid(insightQuerySchema)) query: InsightQuery): Promise<IdleInsight> {
    return this.figures.idle(query);
  }

  @Get('hours')
  @Answers(hoursInsightSchema)
  hours(@Query(valid(insightQuerySchema)) query: InsightQuery): Promise<HoursInsight> {
    return this.figures.hours(query);
  }

  @Get('wanted')
  @Answers(wantedInsightSchema)
  wanted(@Query(valid(wantedQuerySchema)) query: WantedQuery): Promise<WantedInsight> {
    return this.wantedTitles.find(query);
  }

  @Get('events')
  @Answers(happeningsPageSchema)
  events(@Query(valid(happeningsQuerySchema)) query: HappeningsQuery): Promise<HappeningsPage> {
    return this.figures.happenings(query);
  }

  @Get('file')
  @AnswersFile(CSV)
  async file(
    @Query(valid(insightFileQuerySchema)) query: InsightFileQuery,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.files.make(query);
    const name = `${query.of}-${query.from}-${query.to}.csv`;
    response.setHeader('content-type', `${CSV}; charset=utf-8`);
    response.setHeader('content-disposition', `attachment; filename="${name}"`);
    response.setHeader('cache-control', 'no-store');
    response.end(file);
  }
}
