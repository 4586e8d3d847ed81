import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CopiesAvailableHandler } from './copies-available.query.js';

@Module({ imports: [CqrsModule], providers: [CopiesAvailableHandler] })
export class CatalogueModule {}
