import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { describeApi } from './api-description.js';
import { API_DOCS_STYLE } from './api-docs-style.js';
import { apiRoutes } from './api-routes.js';
import { contentPolicy } from './security-headers.js';

/**
 * Serves the description of the API: `docs-json` for programs, `docs` for people, who can try the calls there. All
 * its files come with the product, under the site's content security policy. Call it before `listen`.
 */
export function serveApiDocs(app: NestExpressApplication, title: string): void {
  // Swagger's page brings styles of its own, and nothing of ours.
  app.use('/api/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('content-security-policy', contentPolicy("'unsafe-inline'"));
    next();
  });
  const describe = () => describeApi(apiRoutes(app), title) as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', app, describe, {
    useGlobalPrefix: true,
    jsonDocumentUrl: 'docs-json',
    raw: ['json'],
    customCss: API_DOCS_STYLE,
    customfavIcon: 'data:,',
    customSiteTitle: `${title}: the API`,
    swaggerOptions: {
      // Send nothing to the public validator.
      validatorUrl: null,
      requestInterceptor: withCrossSiteToken,
    },
  });
}

/** Runs in the browser: adds the cross-site token to calls that are tried there, as the site does. */
function withCrossSiteToken(request: { headers: Record<string, string> }): object {
  const { cookie } = (globalThis as unknown as { document: { cookie: string } }).document;
  const token = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1];
  if (token) request.headers['X-XSRF-TOKEN'] = token;
  return request;
}
