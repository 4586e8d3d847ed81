import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ScanController } from './scan.controller.js';
import { IdentifyScanHandler } from './scan.queries.js';

/** The desk, where books are scanned. */
@Module({ imports: [CqrsModule], controllers: [ScanController], providers: [IdentifyScanHandler] })
export class DeskModule {}
