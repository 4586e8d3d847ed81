import { startProduct, type TestProduct } from '../../test-support/product.js';
import { unlimitedParts, type AnswerSchema } from '../../test-support/unlimited-parts.js';
import type { ApiDescription } from './api-description.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

describe('the answers of the API', () => {
  let product: TestProduct;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product.close());

  it('all say how long they are at most', async () => {
    const description = (await (await fetch(`${product.url}/api/docs-json`)).json()) as ApiDescription;
    const unlimited = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]: [string, Anything]) =>
        Object.values(responses).flatMap((response: Anything) => {
          const schema = response.content?.['application/json']?.schema as AnswerSchema | undefined;
          return schema ? unlimitedParts(schema, `${method.toUpperCase()} ${path} `) : [];
        }),
      ),
    );
    expect(unlimited).toEqual([]);
  });
});
