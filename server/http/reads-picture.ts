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
import * as m from '#words/messages.js';
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

/** A form with a picture. */
type PictureForm = 'book' | 'logo';

/**
 * Parses a form with a picture, as multipart, or the same object as JSON. It runs after the guard, so that only uploads of those
 * who may are read into memory.
 * @param more further interceptors, which have the parsed form
 */
export const ReadsPicture = (purpose: PicturePurpose, form: PictureForm, ...more: Type<NestInterceptor>[]) =>
  UseInterceptors(uploadRefusals(purpose, form), FileInterceptor(purpose.field, { limits: LIMITS }), ...more);

/** Turns the upload parser's errors into messages of the form's fields. */
function uploadRefusals(purpose: PicturePurpose, form: PictureForm): Type<NestInterceptor> {
  class UploadRefusals implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const request = context.switchToHttp().getRequest<Request>();
      if (!request.is('multipart/form-data') && !request.is('json')) {
        throw new RequestInvalid({
          request: [m.error_form_media({ form })],
        });
      }
      return next.handle().pipe(catchError((error: unknown) => throwError(() => refusal(error, purpose))));
    }
  }
  return mixin(UploadRefusals);
}

function refusal(error: unknown, { field: file, name }: PicturePurpose): unknown {
  if (error instanceof Error && /^Request (aborted|closed)$/.test(error.message)) {
    return new RequestInvalid({ request: [m.error_upload_interrupted()] });
  }
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  const { message } = error;
  if (error.getStatus() === 413)
    return new RequestInvalid({
      [file]: [m.error_picture_large({ of: name, most: PICTURE_MAX_BYTES / 1024 / 1024 })],
    });
  if (/^Unexpected (file )?field|^Too many files/.test(message)) {
    return new RequestInvalid({
      [file]: [m.error_one_file({ file })],
    });
  }
  const field = / - ([\w.[\]]{1,60})$/.exec(message)?.[1];
  if (/^Field value too long/.test(message)) {
    return new RequestInvalid({ [field ?? 'request']: [m.error_text_long()] });
  }
  return new RequestInvalid({ request: [m.error_form_unreadable({ message })] });
}
