import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import * as calls from '#contracts/insight/insight.js';
import type {
  GenresInsight,
  ActivitiesPage,
  HoursInsight,
  IdleInsight,
  TitlesInsight,
  WantedInsight,
} from '#contracts/insight/insight.js';
import { sendFile } from '../http/send-file.js';
import { Serves, type Asked } from '../http/serves.js';
import { InsightFigures } from './insight-figures.js';
import { InsightFile } from './insight-file.js';
import { WantedTitles } from './wanted-titles.js';

/** What the log can be asked by librarians and auditors. */
@Controller()
export class InsightController {
  constructor(
    private readonly figures: InsightFigures,
    private readonly wantedTitles: WantedTitles,
    private readonly files: InsightFile,
  ) {}

  @Serves(calls.readTitles)
  titles({ query }: Asked<typeof calls.readTitles>): Promise<TitlesInsight> {
    return this.figures.titles(query);
  }

  @Serves(calls.readGenres)
  genres({ query }: Asked<typeof calls.readGenres>): Promise<GenresInsight> {
    return this.figures.genres(query);
  }

  @Serves(calls.readIdle)
  idle({ query }: Asked<typeof calls.readIdle>): Promise<IdleInsight> {
    return this.figures.idle(query);
  }

  @Serves(calls.readHours)
  hours({ query }: Asked<typeof calls.readHours>): Promise<HoursInsight> {
    return this.figures.hours(query);
  }

  @Serves(calls.readWanted)
  wanted({ query }: Asked<typeof calls.readWanted>): Promise<WantedInsight> {
    return this.wantedTitles.find(query);
  }

  @Serves(calls.readActivities)
  events({ query }: Asked<typeof calls.readActivities>): Promise<ActivitiesPage> {
    return this.figures.activities(query);
  }

  @Serves(calls.fetchInsight)
  async file({ query }: Asked<typeof calls.fetchInsight>, @Res() response: Response): Promise<void> {
    sendFile(response, await this.files.make(query), `${query.of}-${query.from}-${query.to}.csv`);
  }
}
