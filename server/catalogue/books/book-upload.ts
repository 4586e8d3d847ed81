import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ReadsPicture } from '../../http/reads-picture.js';
import { COVER } from '../covers/stored-cover.js';
import { bookOfFields } from './book-fields.js';

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

/** Parses a book's form, with its cover. */
export const ReadsBookForm = () => ReadsPicture(COVER, 'book', BookFields);
