import { HttpException, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import type { Readable } from 'node:stream';
import { IMPORT_FILE_FIELD } from '#contracts/imports.js';
import { withoutInvalidCharacters } from '#contracts/plain-text.js';
import type { Database } from '#platform/database/database.js';
import * as m from '#words/messages.js';
import type { SignedInRequest } from '../http/access.js';
import { RequestInvalid } from '../http/validation.js';

/** The file of a form, as the parser has it. */
interface FormFile {
  originalname: string;
  stream: Readable;
}
/** What becomes of it. */
export interface StagedFile {
  importId: string;
}

/** A file that comes. */
export interface ComingFile {
  name: string;
  chunks: AsyncIterator<Buffer>;
  /** The account of who sends it. */
  startedBy: string | null;
  request: Request;
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
export abstract class ReadsStagedFile implements NestInterceptor {
  protected abstract readonly database: Database;
  protected abstract readonly imports: { drop(database: Database, importId: string): Promise<unknown> };

  /** What is said where there is no file. */
  protected abstract noFile(): string;
  /** @returns the import's id */
  protected abstract stage(file: ComingFile): Promise<string>;

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request & SignedInRequest>();
    if (!request.is('multipart/form-data'))
      throw new RequestInvalid({ [IMPORT_FILE_FIELD]: [this.noFile()] });
    const startedBy = request.signedIn?.accountId ?? null;
    const storage = {
      _handleFile: (
        _request: Request,
        { originalname, stream }: FormFile,
        done: (error?: unknown, staged?: StagedFile) => void,
      ) => {
        // As browsers send it: UTF-8, which the parser takes for Latin-1.
        const name = withoutInvalidCharacters(Buffer.from(originalname, 'latin1').toString('utf8')).slice(
          0,
          200,
        );
        const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        this.stage({ name, chunks, startedBy, request }).then(
          (importId) => done(null, { importId }),
          (error: unknown) => {
            // The rest of the form is read to its end, so that the answer is.
            stream.resume();
            done(error);
          },
        );
      },
      _removeFile: (_request: Request, { importId }: StagedFile, done: (error: Error | null) => void) => {
        this.imports.drop(this.database, importId).then(() => done(null), done);
      },
    };
    const Upload = FileInterceptor(IMPORT_FILE_FIELD, { storage, limits: LIMITS });
    const handled = new Upload().intercept(context, next);
    return Promise.resolve(handled).catch((error: unknown) => {
      throw refusal(error);
    });
  }
}

/** The rest of a file, after what was read of it. */
export async function* chunksOf(rest: AsyncIterator<Buffer>, begun?: Buffer): AsyncGenerator<Buffer> {
  if (begun) yield begun;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** What the parser of forms says is of the form's shape. */
function refusal(error: unknown): unknown {
  if (error instanceof RequestInvalid) return error;
  if (error instanceof Error && /^Request (aborted|closed)$/.test(error.message))
    return new RequestInvalid({ [IMPORT_FILE_FIELD]: [m.error_upload_interrupted()] });
  const isOfForm = error instanceof HttpException && error.getStatus() < 500;
  return isOfForm
    ? new RequestInvalid({ [IMPORT_FILE_FIELD]: [m.error_one_file({ file: IMPORT_FILE_FIELD })] })
    : error;
}
