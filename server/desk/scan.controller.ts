import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { identifyScan, type Scanned } from '#contracts/desk/scan.js';
import { Serves, type Asked } from '../http/serves.js';
import { IdentifyScan } from './scan.queries.js';

/** What the desk asks before it does something. What it does are calls about borrows, with a key for each scan. */
@Controller()
export class ScanController {
  constructor(private readonly queries: QueryBus) {}

  @Serves(identifyScan)
  scan({ body: { scan, readerId } }: Asked<typeof identifyScan>): Promise<Scanned> {
    return this.queries.execute(new IdentifyScan({ scan, readerId }));
  }
}
