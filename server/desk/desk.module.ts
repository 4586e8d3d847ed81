import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ScanController } from './scan.controller.js';
import { ScanQueries } from './scan.queries.js';

/** The desk, where books are scanned. */
@Module({ imports: [CqrsModule], controllers: [ScanController], providers: [ScanQueries] })
export class DeskModule {}
