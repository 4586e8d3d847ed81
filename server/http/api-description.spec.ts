import { z } from 'zod';
import { call } from '#contracts/call.js';
import { describeApi } from './api-description.js';

const fields = z.object({ title: z.string().min(1), 'publisher.id': z.coerce.number().int() });

const calls = [
  call('PUT Shelf/:id/picture', {
    may: ['books'],
    params: z.object({ id: z.uuid() }),
    body: fields,
    upload: 'cover',
    answer: z.string(),
  }),
  call('GET Shelf/label', { may: ['Everybody'], answer: 'application/pdf' }),
  call('POST Shelf', { may: ['books'], body: fields, answer: fields, status: 201 }),
];

describe('the description of calls', () => {
  it('tells of forms with a file, of files, of parameters and of rights', () => {
    const { paths } = describeApi(
      calls.map((each) => ({ ...each, tag: 'Shelf', handler: each.method })),
      'Shelves',
    );
    expect(Object.keys(paths).sort()).toEqual(['/Shelf', '/Shelf/label', '/Shelf/{id}/picture']);
    expect(paths['/Shelf/{id}/picture']?.['put']).toMatchObject({
      'x-allowed': ['books'],
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
