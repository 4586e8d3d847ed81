import {
  applyDecorators,
  HttpException,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import { catchError, throwError, type Observable } from 'rxjs';
import { COVER_FIELD, COVER_MAX_BYTES } from '#contracts/catalogue/book-save.js';
import { RequestInvalid } from '../../http/validation.js';
import { bookOfFields } from './book-fields.js';

/** Limit: the longest description in multi-byte letters, and the maximum of authors and genres. */
const LIMITS = {
  fileSize: COVER_MAX_BYTES,
  files: 1,
  fieldSize: 100 * 1024,
  fields: 200,
  parts: 210,
  fieldNameSize: 100,
  fieldNestingDepth: 2,
  fieldArrayIndexLimit: 9999,
};

const COVER_TOO_LARGE = `The cover must be at most ${COVER_MAX_BYTES / 1024 / 1024} MB.`;

/** Turns the upload parser's errors into messages of the form's fields. */
@Injectable()
class UploadRefusals implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.is('multipart/form-data') && !request.is('json')) {
      throw new RequestInvalid({
        request: ['Send the book as multipart/form-data, or as application/json.'],
      });
    }
    return next.handle().pipe(catchError((error: unknown) => throwError(() => refusal(error))));
  }
}

function refusal(error: unknown): unknown {
  if (error instanceof Error && /^Request (aborted|closed)$/.test(error.message)) {
    return new RequestInvalid({ request: ['The upload was interrupted.'] });
  }
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  const { message } = error;
  if (error.getStatus() === 413) return new RequestInvalid({ [COVER_FIELD]: [COVER_TOO_LARGE] });
  if (/^Unexpected (file )?field|^Too many files/.test(message)) {
    return new RequestInvalid({
      [COVER_FIELD]: [`Send one file at most, in the field "${COVER_FIELD}".`],
    });
  }
  const field = / - ([\w.[\]]{1,60})$/.exec(message)?.[1];
  if (/^Field value too long/.test(message)) {
    return new RequestInvalid({ [field ?? 'request']: ['This text is too long.'] });
  }
  return new RequestInvalid({ request: [`The form could not be read: ${message}.`] });
}

/** Reads the names of a parsed form's fields. Its body has no prototype; JSON already has the contract's shape. */
@Injectable()
class BookFields implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const body: unknown = request.body;
    if (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === null)
      request.body = bookOfFields(body as Record<string, unknown>);
    return next.handle();
  }
}

/**
 * Parses a book's form: fields and cover as multipart, or the same object as JSON. It runs after the guard, so that
 * only administrators' uploads are read into memory.
 */
export const ReadsBookForm = () =>
  applyDecorators(
    UseInterceptors(UploadRefusals, FileInterceptor(COVER_FIELD, { limits: LIMITS }), BookFields),
  );
