import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from './api-description.js';
import { apiRoutes } from './api-routes.js';

/**
 * Serves the description of the API: `docs-json` for programs, `docs` for people, who can try the calls there. All
 * its files come with the product, and the policy of the site holds for it too. To be called before `listen`.
 */
export function serveApiDocs(app: NestExpressApplication, title: string): void {
  const describe = () => describeApi(apiRoutes(app), title) as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', app, describe, {
    useGlobalPrefix: true,
    jsonDocumentUrl: 'docs-json',
    raw: ['json'],
    customSiteTitle: `${title}: the API`,
    swaggerOptions: {
      // The public validator is none of this library's business.
      validatorUrl: null,
      requestInterceptor: withCrossSiteToken,
    },
  });
}

/** Runs in the browser: calls that are tried there carry the cross-site token as the site's own calls do. */
function withCrossSiteToken(request: { headers: Record<string, string> }): object {
  // @ts-expect-error the server knows no document
  const cookies = document.cookie as string;
  const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(cookies)?.[1];
  if (token) request.headers['X-XSRF-TOKEN'] = token;
  return request;
}
