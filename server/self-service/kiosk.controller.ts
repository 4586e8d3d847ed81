import * as m from '#words/messages.js';
import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Answered } from '#contracts/call.js';
import { DomainError } from '#contracts/domain-error.js';
import * as calls from '#contracts/self-service/self-service.js';
import type { GivenBack, Kiosk, OwnBooks, Renewed, Taken } from '#contracts/self-service/self-service.js';
import type { ActingDevice } from '../http/access.js';
import { Recorded } from '../http/security-log.js';
import { Serves, type Asked } from '../http/serves.js';
import { Devices } from './devices/devices.js';
import { SelfService } from './self-service.js';
import { Visits } from './visits.js';

type OrCard<Answer> = Answer | { outcome: 'card' };

/** What the page of a kiosk asks for. */
@Controller()
export class KioskController {
  constructor(
    private readonly devices: Devices,
    private readonly visits: Visits,
    private readonly selfService: SelfService,
  ) {}

  @Serves(calls.bindKiosk)
  @Recorded('kiosk bound')
  async bind(
    { body }: Asked<typeof calls.bindKiosk>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Kiosk> {
    return kioskView(await this.devices.bind(body.code, request, response));
  }

  @Serves(calls.readKiosk)
  kiosk({ device }: Asked<typeof calls.readKiosk>): Kiosk {
    return kioskView(device);
  }

  @Serves(calls.beginVisit)
  async begin({ device, body }: Asked<typeof calls.beginVisit>): Promise<Answered<typeof calls.beginVisit>> {
    requireOpen(device);
    const reader = await this.selfService.readerOf(device, body.card, body.pin);
    if (typeof reader === 'string') return { outcome: 'refused', why: reader };
    const visit = await this.visits.begin(device.id, reader);
    const books = await this.selfService.booksOf(reader);
    return { outcome: 'welcome', visit, firstname: reader.firstname, ...books };
  }

  @Serves(calls.readOwnBooks)
  async ownBooks({ device, params }: Asked<typeof calls.readOwnBooks>): Promise<OwnBooks> {
    return this.selfService.booksOf(await this.visits.readerOf(device.id, params.visit));
  }

  @Serves(calls.takeBook)
  async take({ device, params, body, key }: Asked<typeof calls.takeBook>): Promise<OrCard<Taken>> {
    const reader = await this.visits.readerOf(requireOpen(device).id, params.visit);
    return this.orCard(body.code, await this.selfService.take(device, reader, body.code, key));
  }

  @Serves(calls.renewLoans)
  async renew({ device, params, body, key }: Asked<typeof calls.renewLoans>): Promise<Renewed[]> {
    const reader = await this.visits.readerOf(requireOpen(device).id, params.visit);
    return this.selfService.renew(device, reader, body.borrowId, key);
  }

  @Serves(calls.giveBookBack)
  async giveBack({ device, body, key }: Asked<typeof calls.giveBookBack>): Promise<OrCard<GivenBack>> {
    return this.orCard(body.code, await this.selfService.giveBack(requireOpen(device), body.code, key));
  }

  @Serves(calls.endSelfServiceVisit)
  async end({ device, params }: Asked<typeof calls.endSelfServiceVisit>): Promise<{ ended: boolean }> {
    const reader = await this.visits.end(device.id, params.visit);
    if (reader) await this.selfService.end(reader);
    return { ended: reader !== undefined };
  }

  /** A label comes first: numbers on cards of an earlier system may be the same. */
  private async orCard<Answer extends Taken | GivenBack>(
    code: string,
    answer: Answer,
  ): Promise<OrCard<Answer>> {
    const isNoLabel = answer.outcome === 'refused' && answer.title === null;
    return isNoLabel && (await this.selfService.isCard(code)) ? { outcome: 'card' } : answer;
  }
}

function kioskView({ name, languages, isClosed }: ActingDevice): Kiosk {
  return { name, languages, isClosed };
}

function requireOpen(device: ActingDevice): ActingDevice {
  if (device.isClosed) throw new DomainError('DeviceClosed', m.kiosk_closed());
  return device;
}
