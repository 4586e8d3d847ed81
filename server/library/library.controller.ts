import * as m from '#words/messages.js';
import { Controller, Res, UploadedFile } from '@nestjs/common';
import type { Response } from 'express';
import * as demo from '#contracts/library/demo.js';
import type { DemoView } from '#contracts/library/demo.js';
import * as calls from '#contracts/library/library-facts.js';
import type { LibraryChange, LibraryView } from '#contracts/library/library-facts.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { ReadsPicture } from '../http/reads-picture.js';
import { Serves, type Asked } from '../http/serves.js';
import { UploadedPictures, type PicturePurpose } from '../http/uploaded-pictures.js';
import { RequestInvalid } from '../http/validation.js';
import { LibraryDemo } from './demo.js';
import { htmlOf } from '../http/markdown.js';
import { LibraryChanges } from './library-changes.js';

/** As high as the bar of a page on the densest screens. */
const LOGO: PicturePurpose = { field: calls.LOGO_FIELD, name: 'logo', box: { width: 600, height: 160 } };

/** What the library says of itself: changed by admins, shown to everybody. */
@Controller()
export class LibraryController {
  constructor(
    private readonly changes: LibraryChanges,
    private readonly facts: LibraryFacts,
    private readonly pictures: UploadedPictures,
    private readonly demo: LibraryDemo,
  ) {}

  @Serves(calls.readLibrary)
  read(): Promise<LibraryView> {
    return this.changes.view();
  }

  @Serves(calls.changeLibrary)
  change({ caller, body: { version, ...facts } }: Asked<typeof calls.changeLibrary>): Promise<LibraryView> {
    return this.changes.changeFacts(facts, caller.accountId, version);
  }

  @Serves(calls.changeLogo)
  @ReadsPicture(LOGO, 'logo')
  async changeLogo(
    { caller }: Asked<typeof calls.changeLogo>,
    @UploadedFile() file?: { buffer: Buffer },
  ): Promise<LibraryView> {
    if (!file) throw new RequestInvalid({ [LOGO.field]: [m.library_choose_picture()] });
    return this.changes.changeLogo(await this.pictures.make(file.buffer, LOGO), caller.accountId);
  }

  @Serves(calls.removeLogo)
  removeLogo({ caller }: Asked<typeof calls.removeLogo>): Promise<LibraryView> {
    return this.changes.changeLogo(null, caller.accountId);
  }

  @Serves(calls.fetchLogo)
  async logo({ params }: Asked<typeof calls.fetchLogo>, @Res() response: Response): Promise<void> {
    const bytes = await this.changes.logo(params.digest);
    response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    response.setHeader('content-type', 'image/webp');
    response.setHeader('x-content-type-options', 'nosniff');
    response.send(bytes);
  }

  @Serves(demo.readDemo)
  readDemo(): Promise<DemoView> {
    return this.demo.view();
  }

  @Serves(demo.addDemo)
  addDemo(): Promise<DemoView> {
    return this.demo.add();
  }

  @Serves(demo.removeDemo)
  removeDemo(): Promise<DemoView> {
    return this.demo.remove();
  }

  @Serves(calls.listLibraryChanges)
  list({ query }: Asked<typeof calls.listLibraryChanges>): Promise<Paged<LibraryChange>> {
    return this.changes.list(query.pageNumber, query.pageSize);
  }

  @Serves(calls.readLibraryPage)
  page({ params }: Asked<typeof calls.readLibraryPage>): { html: string } {
    const text = this.facts.all[params.page];
    if (text === '') throw new DomainError('NotFound', m.library_no_such_page());
    return { html: htmlOf(text) };
  }
}
