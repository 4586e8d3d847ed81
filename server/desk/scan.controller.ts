import { Controller } from '@nestjs/common';
import { identifyScan, type Scanned } from '#contracts/desk/scan.js';
import { Serves, type Asked } from '../http/serves.js';
import { ScanQueries } from './scan.queries.js';

/** What the desk asks before it does something. What it does are calls about borrows, with a key for each scan. */
@Controller()
export class ScanController {
  constructor(private readonly scanQueries: ScanQueries) {}

  @Serves(identifyScan)
  scan({ body: { scan, readerId } }: Asked<typeof identifyScan>): Promise<Scanned> {
    return this.scanQueries.find(scan, readerId);
  }
}
