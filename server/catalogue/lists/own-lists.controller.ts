import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Controller, Ip, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import * as calls from '#contracts/lists/reading-lists.js';
import type { OwnList, OwnListPage, ShownList } from '#contracts/lists/reading-lists.js';
import { DomainError } from '#contracts/domain-error.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../../http/access.js';
import { addressKey } from '../../http/address-key.js';
import { Recorded } from '../../http/security-log.js';
import { sendFile } from '../../http/send-file.js';
import { Serves, type Asked } from '../../http/serves.js';
import { CountWrongListLink } from './wrong-link.command.js';
import { ownedListsController } from './owned-lists.controller.js';
import { OwnedLists, readerWith } from './owned-lists.js';
import { ListedBooks } from './listed-books.js';
import { ListsFile } from './lists-file.js';
import { OwnLists } from './own-lists.js';
import { SharedLists } from './shared-lists.js';

/** The lists that a reader keeps for themselves, and those that are shared by a link. */
@Controller()
export class OwnListsController extends ownedListsController(calls.OWN_LIST_BOOKS, calls.removeOwnList) {
  readonly ownerOf = ({ accountId }: SignedIn) => readerWith(accountId);
  readonly allOf = ({ accountId }: SignedIn) => this.lists.all(accountId);
  readonly oneOf = ({ accountId }: SignedIn, id: string) => this.lists.get(accountId, id);

  constructor(
    kept: OwnedLists,
    books: ListedBooks,
    private readonly lists: OwnLists,
    private readonly shared: SharedLists,
    private readonly files: ListsFile,
    private readonly commands: CommandBus,
  ) {
    super(kept, books);
  }

  @Serves(calls.readOwnLists)
  mine({ caller, query }: Asked<typeof calls.readOwnLists>): Promise<OwnList[]> {
    return this.lists.all(caller.accountId, query.bookId);
  }

  @Serves(calls.fetchOwnLists)
  async file({ caller, query }: Asked<typeof calls.fetchOwnLists>, @Res() response: Response): Promise<void> {
    sendFile(response, await this.files.own(caller.accountId, query), `lists.${query.format}`);
  }

  @Serves(calls.openSharedList)
  async open({ body }: Asked<typeof calls.openSharedList>, @Ip() ip: string): Promise<ShownList> {
    const list = await this.shared.open(body);
    if (list) return list;
    await this.commands.execute(new CountWrongListLink({ address: addressKey(ip) }));
    throw new DomainError('ListNotFound', m.catalogue_list_link_over());
  }

  @Serves(calls.addOwnList)
  add({ caller, body, key = randomUUID() }: Asked<typeof calls.addOwnList>): Promise<OwnList> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'AddList', body);
    return this.lists.add(caller.accountId, commandId, body);
  }

  @Serves(calls.readOwnList)
  get({ caller, params, query }: Asked<typeof calls.readOwnList>): Promise<OwnListPage> {
    return this.lists.page(caller.accountId, params.id, query);
  }

  @Serves(calls.changeOwnList)
  change({ caller, params, body }: Asked<typeof calls.changeOwnList>): Promise<OwnList> {
    return this.lists.change(caller.accountId, params.id, body);
  }

  @Serves(calls.shareList)
  @Recorded('list shared by a link')
  async share({ caller, params }: Asked<typeof calls.shareList>): Promise<{ token: string }> {
    return { token: await this.shared.share(caller.accountId, params.id) };
  }

  @Serves(calls.endShare)
  @Recorded('link of a list ended')
  async endShare({ caller, params }: Asked<typeof calls.endShare>): Promise<OwnList> {
    await this.shared.end(caller.accountId, params.id);
    return this.lists.get(caller.accountId, params.id);
  }
}
