import { Body, Controller, Get, Param, Post, Put, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { Allow } from './access.js';
import { AnswersFile, Multipart } from './answers.js';
import { describeApi } from './api-description.js';
import { apiRoutes } from './api-routes.js';
import { valid } from './validation.js';

const fields = z.object({ title: z.string().min(1), 'publisher.id': z.coerce.number().int() });

@Controller('Shelf')
@Allow('Admin')
class ShelfController {
  @Put(':id/picture')
  @Multipart(fields, 'cover')
  picture(@Param('id', valid(z.uuid())) id: string): string {
    return id;
  }

  @Get('label')
  @Allow('Everybody')
  @AnswersFile('application/pdf')
  label(): string {
    return '';
  }

  @Post()
  add(@Body(valid(fields)) body: z.infer<typeof fields>): unknown {
    return body;
  }
}

describe('the description of handlers', () => {
  let app: INestApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({ controllers: [ShelfController] }).compile();
    app = module.createNestApplication();
  });
  afterAll(() => app.close());

  it('tells of forms with a file, of files, of named parameters and of the controller’s own rule', () => {
    const { paths } = describeApi(apiRoutes(app), 'Shelves');
    expect(Object.keys(paths).sort()).toEqual(['/Shelf', '/Shelf/label', '/Shelf/{id}/picture']);
    expect(paths['/Shelf/{id}/picture']?.['put']).toMatchObject({
      'x-allowed': ['Admin'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: { format: 'uuid' } }],
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: {
              required: ['title', 'publisher.id'],
              properties: {
                title: { type: 'string', minLength: 1 },
                'publisher.id': { type: 'integer' },
                cover: { type: 'string', format: 'binary' },
              },
            },
          },
        },
      },
    });
    expect(paths['/Shelf/label']?.['get']).toMatchObject({
      'x-allowed': ['Everybody'],
      security: [],
      responses: { 200: { content: { 'application/pdf': { schema: { format: 'binary' } } } } },
    });
    expect(paths['/Shelf']?.['post']).toMatchObject({ responses: { 201: { description: 'Done' } } });
  });
});
