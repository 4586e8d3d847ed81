import { Controller, Inject, Injectable, Res, UploadedFile, UseInterceptors } from '@nestjs/common';
import type { Response } from 'express';
import * as calls from '#contracts/accounts/reader-import.js';
import type { ReaderImport, ReaderImportRow } from '#contracts/accounts/reader-import.js';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { localDay } from '#contracts/local-day.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { Recorded } from '../../http/security-log.js';
import { sendFile } from '../../http/send-file.js';
import { Serves, type Asked } from '../../http/serves.js';
import { RequestInvalid, valid } from '../../http/validation.js';
import { InvalidHeader } from '../../imports/columns.js';
import { decoded } from '../../imports/csv-records.js';
import {
  chunksOf,
  ReadsStagedFile,
  type ComingFile,
  type StagedFile,
} from '../../imports/reads-staged-file.js';
import { ReaderImportCommands } from './reader-import.commands.js';
import { READER_IMPORTS, refusedRowsFile } from './reader-imports.js';
import { kindsOf } from './reader-of-row.js';
import { stageReaders } from './stage-readers.js';

/** Stages a file of readers while it comes. */
@Injectable()
export class ReadsReadersFile extends ReadsStagedFile {
  protected readonly imports = READER_IMPORTS;

  constructor(
    @Inject(DATABASE) protected readonly database: Database,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {
    super();
  }

  protected noFile(): string {
    return m.readers_import_no_file();
  }

  protected async stage({ name, chunks, startedBy, request }: ComingFile): Promise<string> {
    const { kinds: written, encoding, ...file } = valid(calls.readerFileSchema, request.query);
    const kinds = kindsOf(written);
    if (!kinds) throw new RequestInvalid({ kinds: [m.readers_import_kinds_wrong()] });
    const now = this.clock.now();
    const today = localDay(now.getTime(), this.timeZone.name);
    try {
      const order = { ...file, kinds, name, startedBy, now, today };
      return await stageReaders(this.database, decoded(chunksOf(chunks), encoding), order);
    } catch (error) {
      if (!(error instanceof InvalidHeader)) throw error;
      throw new RequestInvalid({ [IMPORT_FILE_FIELD]: [error.message] });
    }
  }
}

/** Imports of readers, their memberships and their loans: read, looked at, done; and who of them is invited. */
@Controller()
export class ReaderImportController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: ReaderImportCommands,
  ) {}

  // Above, so that it reads after the call's deadline is lifted: a file may take minutes.
  @UseInterceptors(ReadsReadersFile)
  @Serves(calls.stageReaders)
  stage(
    _asked: Asked<typeof calls.stageReaders>,
    @UploadedFile() file: StagedFile | undefined,
  ): { id: string } {
    if (!file) throw new RequestInvalid({ [IMPORT_FILE_FIELD]: [m.readers_import_no_file()] });
    return { id: file.importId };
  }

  @Serves(calls.listReaderImports)
  recent(): Promise<ReaderImport[]> {
    return READER_IMPORTS.recent(this.database);
  }

  @Serves(calls.readReaderImport)
  one({ params: { id } }: Asked<typeof calls.readReaderImport>): Promise<ReaderImport> {
    return READER_IMPORTS.read(this.database, id);
  }

  @Serves(calls.listReaderRows)
  async rows({ params: { id }, query }: Asked<typeof calls.listReaderRows>): Promise<Paged<ReaderImportRow>> {
    await READER_IMPORTS.read(this.database, id);
    const { Outcome, pageNumber, pageSize } = query;
    return READER_IMPORTS.rowsOf(this.database, id, Outcome, {
      offset: (pageNumber - 1) * pageSize,
      limit: pageSize,
    });
  }

  @Serves(calls.fetchRefusedReaders)
  async refused(
    { params: { id } }: Asked<typeof calls.fetchRefusedReaders>,
    @Res() response: Response,
  ): Promise<void> {
    await READER_IMPORTS.read(this.database, id);
    sendFile(response, Buffer.from(await refusedRowsFile(this.database, id)), 'refused.csv');
  }

  @Serves(calls.settleReaderRow)
  settle({ params: { id, place }, body }: Asked<typeof calls.settleReaderRow>): Promise<ReaderImport> {
    return this.commands.settle(id, place, body.accountId);
  }

  @Serves(calls.runReaderImport)
  @Recorded('readers imported')
  run({ params: { id } }: Asked<typeof calls.runReaderImport>): Promise<ReaderImport> {
    return READER_IMPORTS.enqueue(this.database, id, 'readers');
  }

  @Serves(calls.inviteReaders)
  @Recorded('readers invited')
  invite({ params: { id }, body }: Asked<typeof calls.inviteReaders>): Promise<ReaderImport> {
    return this.commands.invite(id, body);
  }

  @Serves(calls.forgetReaderImport)
  forget({ params: { id } }: Asked<typeof calls.forgetReaderImport>): Promise<{ deleted: number }> {
    return READER_IMPORTS.forget(this.database, id);
  }
}
