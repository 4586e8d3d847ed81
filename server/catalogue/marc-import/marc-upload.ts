import { Inject, Injectable } from '@nestjs/common';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { RequestInvalid } from '../../http/validation.js';
import { chunksOf, ReadsStagedFile, type ComingFile } from '../../imports/reads-staged-file.js';
import { BEGINNING, marcFormOf } from '../marc/read-marc.js';
import { lastWins, MARC_IMPORTS } from './marc-imports.js';
import { stageMarc } from './stage-marc.js';

/** Stages a file of records while it comes. */
@Injectable()
export class ReadsMarcFile extends ReadsStagedFile {
  protected readonly imports = MARC_IMPORTS;

  constructor(
    @Inject(DATABASE) protected readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected noFile(): string {
    return m.marc_no_file();
  }

  protected async stage({ name, chunks, startedBy }: ComingFile): Promise<string> {
    const begun: Buffer[] = [];
    for (let length = 0; length < BEGINNING;) {
      const next = await chunks.next();
      if (next.done === true) break;
      begun.push(next.value);
      length += next.value.length;
    }
    const beginning = Buffer.concat(begun);
    const form = marcFormOf(beginning);
    if (!form) throw new RequestInvalid({ [IMPORT_FILE_FIELD]: [m.marc_not_marc()] });
    return stageMarc(this.database, chunksOf(chunks, beginning), {
      ...{ name, form, wins: await lastWins(this.database), copies: 1, startedBy, now: this.clock.now() },
    });
  }
}
