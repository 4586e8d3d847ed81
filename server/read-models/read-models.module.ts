import { Module } from '@nestjs/common';
import { ReadModelProgress } from './read-model-progress.js';

@Module({ providers: [ReadModelProgress], exports: [ReadModelProgress] })
export class ReadModelsModule {}
