import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { lookAtScan, type Scanned } from '#contracts/desk/scan.js';
import { Serves, type Asked } from '../http/serves.js';
import { LookAtScan } from './scan.queries.js';

/** What the desk asks before it does something. What it does are calls about borrows, with a key for each scan. */
@Controller()
export class ScanController {
  constructor(private readonly queries: QueryBus) {}

  @Serves(lookAtScan)
  scan({ body: { scan, readerId } }: Asked<typeof lookAtScan>): Promise<Scanned> {
    return this.queries.execute(new LookAtScan(scan, readerId));
  }
}
