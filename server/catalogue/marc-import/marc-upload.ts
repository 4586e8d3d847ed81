import {
  HttpException,
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import type { Readable } from 'node:stream';
import { MARC_FILE_FIELD } from '#contracts/catalogue/marc-import.js';
import { withoutInvalidCharacters } from '#contracts/plain-text.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import type { SignedInRequest } from '../../http/access.js';
import { RequestInvalid } from '../../http/validation.js';
import { BEGINNING, marcFormOf } from '../marc/read-marc.js';
import { lastWins } from './marc-imports.js';
import { stageMarc } from './stage-marc.js';

/** The file of a form, as the parser has it. */
interface FormFile {
  originalname: string;
  stream: Readable;
}
/** What becomes of it. */
export interface StagedFile {
  importId: string;
}

/** A form has a file and nothing else; the file may be of any size, as it is never kept in memory. */
const LIMITS = {
  files: 1,
  fields: 5,
  parts: 6,
  fieldSize: 1000,
  fieldNameSize: 100,
  fieldNestingDepth: 2,
  fieldArrayIndexLimit: 10,
};

/** Stages the file of a form while it comes. It runs after the guard, so that only the files of those who may are read. */
@Injectable()
export class ReadsMarcFile implements NestInterceptor {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request & SignedInRequest>();
    if (!request.is('multipart/form-data'))
      throw new RequestInvalid({ [MARC_FILE_FIELD]: [m.marc_no_file()] });
    const storage = {
      _handleFile: (
        _request: Request,
        file: FormFile,
        done: (error?: unknown, staged?: StagedFile) => void,
      ) => {
        this.stage(file, request.signedIn?.accountId ?? null).then(
          (importId) => done(null, { importId }),
          (error: unknown) => {
            // The rest of the form is read to its end, so that the answer is.
            file.stream.resume();
            done(error);
          },
        );
      },
      _removeFile: (_request: Request, { importId }: StagedFile, done: (error: Error | null) => void) => {
        this.database.query('delete from marc_import where id = $1', [importId]).then(() => done(null), done);
      },
    };
    const Upload = FileInterceptor(MARC_FILE_FIELD, { storage, limits: LIMITS });
    const handled = new Upload().intercept(context, next);
    return Promise.resolve(handled).catch((error: unknown) => {
      throw refusal(error);
    });
  }

  private async stage({ originalname, stream }: FormFile, startedBy: string | null): Promise<string> {
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const begun: Buffer[] = [];
    for (let length = 0; length < BEGINNING;) {
      const next = await chunks.next();
      if (next.done === true) break;
      begun.push(next.value);
      length += next.value.length;
    }
    const beginning = Buffer.concat(begun);
    const form = marcFormOf(beginning);
    if (!form) throw new RequestInvalid({ [MARC_FILE_FIELD]: [m.marc_not_marc()] });
    return stageMarc(this.database, whole(beginning, chunks), {
      // As browsers send it: UTF-8, which the parser takes for Latin-1.
      name: withoutInvalidCharacters(Buffer.from(originalname, 'latin1').toString('utf8')).slice(0, 200),
      ...{ form, wins: await lastWins(this.database), copies: 1, startedBy, now: this.clock.now() },
    });
  }
}

async function* whole(beginning: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** What the parser of forms says is of the form's shape. */
function refusal(error: unknown): unknown {
  if (error instanceof RequestInvalid) return error;
  if (error instanceof Error && /^Request (aborted|closed)$/.test(error.message))
    return new RequestInvalid({ [MARC_FILE_FIELD]: [m.error_upload_interrupted()] });
  const isOfForm = error instanceof HttpException && error.getStatus() < 500;
  return isOfForm
    ? new RequestInvalid({ [MARC_FILE_FIELD]: [m.error_one_file({ file: MARC_FILE_FIELD })] })
    : error;
}
