import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import * as calls from '#contracts/borrowing/waiver-requests.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Serves, type Asked } from '../../http/serves.js';
import { Pseudonyms } from '../known-readers.js';
import { WaiverRequests } from './waiver-requests.js';

@Controller()
export class WaiverRequestsController {
  constructor(
    private readonly requests: WaiverRequests,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  @Serves(calls.listWaiverRequests)
  waiverRequests({ caller }: Asked<typeof calls.listWaiverRequests>) {
    return this.requests.list(caller);
  }

  @Serves(calls.askForWaiver)
  async ask({ caller, query: { borrowId, userId }, body, key }: Asked<typeof calls.askForWaiver>) {
    const { commandId: id } = commandIdentity(key ?? randomUUID(), caller.pseudonym, 'AskForWaiver', {});
    const readerId = await this.pseudonyms.of(userId);
    await this.requests.ask(caller, id, { readerId, borrowId, waiver: body });
    return { id };
  }

  @Serves(calls.answerWaiverRequest)
  async answer({ caller, params, body }: Asked<typeof calls.answerWaiverRequest>) {
    return { state: await this.requests.answer(caller, params.id, body.answer, body.note) };
  }
}
