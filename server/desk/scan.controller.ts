import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import {
  deskBorrowQuerySchema,
  deskBorrowSchema,
  scanBodySchema,
  scannedSchema,
  type DeskBorrow,
  type ScanBody,
  type Scanned,
} from '#contracts/desk/scan.js';
import { DeskBorrowOf } from '../borrowing/desk-borrow.queries.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { valid } from '../http/validation.js';
import { LookAtScan } from './scan.queries.js';

/**
 * What the desk asks before and after it does something. What it does are the calls of `Borrow`, with a key for each scan.
 */
@Controller('Desk')
export class ScanController {
  constructor(private readonly queries: QueryBus) {}

  /** A reading call, and a POST all the same: addresses are logged on the way, bodies are not. */
  @Post('scan')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(scannedSchema)
  scan(@Body(valid(scanBodySchema)) { scan, readerId }: ScanBody): Promise<Scanned> {
    return this.queries.execute(new LookAtScan(scan, readerId));
  }

  @Get('borrow')
  @Allow('Admin')
  @Answers(deskBorrowSchema)
  borrow(
    @Query(valid(deskBorrowQuerySchema)) { borrowId }: z.infer<typeof deskBorrowQuerySchema>,
  ): Promise<DeskBorrow> {
    return this.queries.execute(new DeskBorrowOf(borrowId));
  }
}
