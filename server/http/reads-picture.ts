import {
  HttpException,
  mixin,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import type { Request } from 'express';
import { catchError, throwError, type Observable } from 'rxjs';
import { PICTURE_MAX_BYTES } from '#contracts/pictures.js';
import type { PicturePurpose } from './uploaded-pictures.js';
import { RequestInvalid } from './validation.js';

/** Limit: the longest description in multi-byte letters, and the maximum of authors and genres. */
const LIMITS = {
  fileSize: PICTURE_MAX_BYTES,
  files: 1,
  fieldSize: 100 * 1024,
  fields: 200,
  parts: 210,
  fieldNameSize: 100,
  fieldNestingDepth: 2,
  fieldArrayIndexLimit: 9999,
};

/**
 * Parses a form with a picture, as multipart, or the same object as JSON. It runs after the guard, so that only uploads of those
 * who may are read into memory.
 * @param form what the form is called: "book"
 * @param more further interceptors, which have the parsed form
 */
export const ReadsPicture = (purpose: PicturePurpose, form: string, ...more: Type<NestInterceptor>[]) =>
  UseInterceptors(uploadRefusals(purpose, form), FileInterceptor(purpose.field, { limits: LIMITS }), ...more);

/** Turns the upload parser's errors into messages of the form's fields. */
function uploadRefusals(purpose: PicturePurpose, form: string): Type<NestInterceptor> {
  class UploadRefusals implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const request = context.switchToHttp().getRequest<Request>();
      if (!request.is('multipart/form-data') && !request.is('json')) {
        throw new RequestInvalid({
          request: [`Send the ${form} as multipart/form-data, or as application/json.`],
        });
      }
      return next.handle().pipe(catchError((error: unknown) => throwError(() => refusal(error, purpose))));
    }
  }
  return mixin(UploadRefusals);
}

function refusal(error: unknown, { field: file, name }: PicturePurpose): unknown {
  if (error instanceof Error && /^Request (aborted|closed)$/.test(error.message)) {
    return new RequestInvalid({ request: ['The upload was interrupted.'] });
  }
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  const { message } = error;
  if (error.getStatus() === 413)
    return new RequestInvalid({
      [file]: [`The ${name} must be at most ${PICTURE_MAX_BYTES / 1024 / 1024} MB.`],
    });
  if (/^Unexpected (file )?field|^Too many files/.test(message)) {
    return new RequestInvalid({
      [file]: [`Send one file at most, in the field "${file}".`],
    });
  }
  const field = / - ([\w.[\]]{1,60})$/.exec(message)?.[1];
  if (/^Field value too long/.test(message)) {
    return new RequestInvalid({ [field ?? 'request']: ['This text is too long.'] });
  }
  return new RequestInvalid({ request: [`The form could not be read: ${message}.`] });
}
