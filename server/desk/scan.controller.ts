import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { scanBodySchema, scannedSchema, type ScanBody, type Scanned } from '#contracts/desk/scan.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { valid } from '../http/validation.js';
import { LookAtScan } from './scan.queries.js';

/**
 * What the desk asks before it does something. What it does are the calls of `Borrow`, with a key for each scan.
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
}
