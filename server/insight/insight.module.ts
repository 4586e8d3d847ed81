import { Module } from '@nestjs/common';
import { InsightFigures } from './insight-figures.js';
import { InsightFile } from './insight-file.js';
import { InsightController } from './insight.controller.js';
import { LowPriorityReader } from './low-priority-reader.js';
import { WantedTitles } from './wanted-titles.js';

/** What the log can be asked. */
@Module({
  controllers: [InsightController],
  providers: [LowPriorityReader, InsightFigures, WantedTitles, InsightFile],
})
export class InsightModule {}
