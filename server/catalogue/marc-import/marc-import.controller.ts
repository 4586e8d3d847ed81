import { Controller, Inject, UploadedFile, UseInterceptors } from '@nestjs/common';
import * as calls from '#contracts/catalogue/marc-import.js';
import type { MarcImport, MarcRow } from '#contracts/catalogue/marc-import.js';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { Serves, type Asked } from '../../http/serves.js';
import { RequestInvalid } from '../../http/validation.js';
import { MarcImportCommands } from './marc-import.commands.js';
import { MARC_IMPORTS } from './marc-imports.js';
import type { StagedFile } from '../../imports/reads-staged-file.js';
import { ReadsMarcFile } from './marc-upload.js';

/** Imports of records: read, looked at, done and undone. */
@Controller()
export class MarcImportController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: MarcImportCommands,
  ) {}

  // Above, so that it reads after the call's deadline is lifted: a file may take minutes.
  @UseInterceptors(ReadsMarcFile)
  @Serves(calls.stageMarc)
  stage(_asked: Asked<typeof calls.stageMarc>, @UploadedFile() file: StagedFile | undefined): { id: string } {
    if (!file) throw new RequestInvalid({ [IMPORT_FILE_FIELD]: [m.marc_no_file()] });
    return { id: file.importId };
  }

  @Serves(calls.listMarcImports)
  recent(): Promise<MarcImport[]> {
    return MARC_IMPORTS.recent(this.database);
  }

  @Serves(calls.readMarcImport)
  one({ params: { id } }: Asked<typeof calls.readMarcImport>): Promise<MarcImport> {
    return MARC_IMPORTS.read(this.database, id);
  }

  @Serves(calls.listMarcRows)
  async rows({ params: { id }, query }: Asked<typeof calls.listMarcRows>): Promise<Paged<MarcRow>> {
    await MARC_IMPORTS.read(this.database, id);
    const { Outcome, pageNumber, pageSize } = query;
    return MARC_IMPORTS.rowsOf(this.database, id, Outcome, {
      offset: (pageNumber - 1) * pageSize,
      limit: pageSize,
    });
  }

  @Serves(calls.chooseMarcWinners)
  wins({ params: { id }, body }: Asked<typeof calls.chooseMarcWinners>): Promise<MarcImport> {
    return this.commands.chooseWinners(id, body.wins);
  }

  @Serves(calls.chooseMarcRows)
  choose({ params: { id }, body }: Asked<typeof calls.chooseMarcRows>): Promise<MarcImport> {
    return this.commands.chooseRows(id, body.chosen, body);
  }

  @Serves(calls.settleMarcRow)
  settle({ params: { id, place }, body }: Asked<typeof calls.settleMarcRow>): Promise<MarcRow> {
    return this.commands.settle(id, place, body.bookId);
  }

  @Serves(calls.runMarcImport)
  run({ params: { id } }: Asked<typeof calls.runMarcImport>): Promise<MarcImport> {
    return MARC_IMPORTS.enqueue(this.database, id, 'run');
  }

  @Serves(calls.undoMarcImport)
  undo({ params: { id } }: Asked<typeof calls.undoMarcImport>): Promise<MarcImport> {
    return MARC_IMPORTS.enqueue(this.database, id, 'undo');
  }

  @Serves(calls.forgetMarcImport)
  forget({ params: { id } }: Asked<typeof calls.forgetMarcImport>): Promise<{ deleted: number }> {
    return MARC_IMPORTS.forget(this.database, id);
  }
}
