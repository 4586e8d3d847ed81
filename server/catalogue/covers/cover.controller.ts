import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { bookParamsSchema } from '#contracts/catalogue/book-views.js';
import { Allow } from '../../http/access.js';
import { AnswersFile } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { GetCover } from './cover.queries.js';

/** Serves covers publicly. A book's `photo.url` contains the picture's hash, so that browsers may cache it for ever. */
@Controller('Book')
export class CoverController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/cover')
  @Allow('Everybody')
  @AnswersFile('image/webp')
  async cover(
    @Param(valid(bookParamsSchema)) { id }: { id: number },
    @Query('v') version: unknown,
    @Headers('if-none-match') known: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const had = [...(known ?? '').matchAll(/"([\da-f]{1,64})"/g)].map(([, hash]) => hash ?? '');
    const { hash, bytes } = await this.queries.execute(new GetCover(id, had));
    response.setHeader('etag', `"${hash}"`);
    response.setHeader(
      'cache-control',
      version === hash ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    );
    if (bytes === null) return void response.status(304).end();
    response.setHeader('content-type', 'image/webp');
    response.setHeader('x-content-type-options', 'nosniff');
    response.send(bytes);
  }
}
