import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { LiveGateway } from './live.gateway.js';
import { ReaderWatch } from './reader-watch.js';

@Module({
  imports: [CqrsModule, ReadModelsModule],
  providers: [LiveGateway, ReaderWatch],
  exports: [LiveGateway],
})
export class LiveModule {}
