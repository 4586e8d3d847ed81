import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Paged } from '#contracts/paging.js';
import * as calls from '#contracts/stock-taking/stock-taking.js';
import type {
  Finding,
  Resolution,
  ResolvedAnswer,
  ScanAnswer,
  StockTaking,
  StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Serves, type Asked } from '../http/serves.js';
import { StockFindings } from './stock-findings.js';
import { StockResolutions } from './stock-resolutions.js';
import { StockScans } from './stock-scans.js';
import { StockTakings } from './stock-takings.js';

/** Stock-taking, by librarians. Nothing of it changes a copy but what is decided about a finding. */
@Controller()
export class StockTakingController {
  constructor(
    private readonly stockTakings: StockTakings,
    private readonly scans: StockScans,
    private readonly findings: StockFindings,
    private readonly resolutions: StockResolutions,
  ) {}

  @Serves(calls.listStockTakings)
  list({ query }: Asked<typeof calls.listStockTakings>): Promise<Paged<StockTaking>> {
    return this.stockTakings.page(query.pageNumber, query.pageSize);
  }

  @Serves(calls.startStockTaking)
  start({ caller, body, key = randomUUID() }: Asked<typeof calls.startStockTaking>): Promise<StockTaking> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'StartStockTaking', body);
    return this.stockTakings.start(commandId, body, caller.accountId);
  }

  @Serves(calls.readStockTaking)
  get({ params }: Asked<typeof calls.readStockTaking>): Promise<StockTakingStanding> {
    return this.findings.standing(params.id);
  }

  @Serves(calls.changeStockTaking)
  change({ params, body }: Asked<typeof calls.changeStockTaking>): Promise<StockTaking> {
    return this.stockTakings.change(params.id, body.state);
  }

  @Serves(calls.sendScans)
  scan({ caller, params, body }: Asked<typeof calls.sendScans>): Promise<ScanAnswer> {
    return this.scans.keep(params.id, body, caller.accountId);
  }

  @Serves(calls.listFindings)
  found({ params, query }: Asked<typeof calls.listFindings>): Promise<Paged<Finding>> {
    return this.findings.page(params.id, query);
  }

  @Serves(calls.resolveFindings)
  resolve({ caller, params, body }: Asked<typeof calls.resolveFindings>): Promise<ResolvedAnswer> {
    return this.resolutions.resolve(params.id, body, caller);
  }

  @Serves(calls.undoResolutions)
  undo({ caller, params, body }: Asked<typeof calls.undoResolutions>): Promise<ResolvedAnswer> {
    return this.resolutions.undo(params.id, body, caller);
  }

  @Serves(calls.listResolutions)
  resolved({ params, query }: Asked<typeof calls.listResolutions>): Promise<Paged<Resolution>> {
    return this.resolutions.page(params.id, query.pageNumber, query.pageSize);
  }
}
