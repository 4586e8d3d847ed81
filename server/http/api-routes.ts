import { RequestMethod, type INestApplication, type Type } from '@nestjs/common';
import {
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { z } from 'zod';
import type { Allowed, Call } from '#contracts/call.js';
import { ALLOWED_ROLES } from './access.js';
import { ANSWERS, MULTIPART, PAGES, type AnswerDescription, type MultipartDescription } from './answers.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { CALL } from './serves.js';

/** A route of the app, as its handler's decorators describe it. */
export interface ApiRoute {
  /** The contract that it serves. */
  call?: Call;
  /** `GET`, `POST` and so on. */
  method: string;
  /** Below the prefix, as the handler names it: `User/userId/:id`. */
  path: string;
  /** The controller's path. */
  tag: string;
  /** The handler's name. */
  handler: string;
  /** Empty if the handler does not say. */
  allowed: Allowed[];
  query: z.ZodType[];
  params: z.ZodType[];
  body: z.ZodType | undefined;
  multipart: MultipartDescription | undefined;
  takesIdempotencyKey: boolean;
  /** The status on success. */
  status: number;
  answer: AnswerDescription | undefined;
}

/** Every route of the app, from the metadata that Nest itself uses to route, validate and guard it. */
export function apiRoutes(app: INestApplication): ApiRoute[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers
    .filter(({ metatype }) => !Reflect.hasMetadata(PAGES, metatype as Type))
    .flatMap(({ metatype }) => {
      const controller = metatype as Type;
      const prototype = controller.prototype as Record<string, object>;
      return scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}))
        .flatMap((name) => routesOf(controller, name, prototype[name] ?? {}));
    })
    .sort((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`, 'en'));
}

function routesOf(controller: Type, name: string, handler: object): ApiRoute[] {
  const about = <Value>(key: string) => Reflect.getMetadata(key, handler) as Value | undefined;
  const served = about<Call>(CALL);
  if (served) return [routeOf(served, name)];
  const method = RequestMethod[about<RequestMethod>(METHOD_METADATA) ?? RequestMethod.GET];
  const parameters = Object.entries(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Parameter>,
  );
  const schemasOf = (type: RouteParamtypes) =>
    parameters.filter(([key]) => key.startsWith(`${type}:`)).flatMap(([, parameter]) => schemas(parameter));
  const answer = about<AnswerDescription>(ANSWERS);
  const described = {
    method,
    handler: name,
    allowed:
      about<Allowed[]>(ALLOWED_ROLES) ??
      (Reflect.getMetadata(ALLOWED_ROLES, controller) as Allowed[] | undefined) ??
      [],
    query: schemasOf(RouteParamtypes.QUERY),
    params: schemasOf(RouteParamtypes.PARAM),
    body: schemasOf(RouteParamtypes.BODY)[0],
    multipart: about<MultipartDescription>(MULTIPART),
    takesIdempotencyKey: parameters.some(([, { factory }]) => factory === idempotencyKeyOf),
    status: answer?.status ?? about<number>(HTTP_CODE_METADATA) ?? (method === 'POST' ? 201 : 200),
    answer,
  };
  return pathsOf(controller).flatMap((tag) =>
    pathsOf(handler).map((path) => ({
      ...described,
      tag,
      path: [tag, path].filter((part) => part !== '').join('/'),
    })),
  );
}

function routeOf(call: Call, handler: string): ApiRoute {
  const { method, path, may, params, query, body, upload, keyed, status = 200, answer, forms } = call;
  return {
    call,
    method,
    path,
    tag: call.tag ?? path.replace(/\/.*/, ''),
    handler,
    allowed: [...may],
    query: query ? [query] : [],
    params: params ? [params] : [],
    body: upload === undefined ? body : undefined,
    multipart: upload !== undefined && body ? { schema: body, fileField: upload } : undefined,
    takesIdempotencyKey: keyed === true,
    status,
    answer: typeof answer === 'string' ? { mediaType: answer } : { schema: forms ?? answer },
  };
}

/** Nest's metadata of a handler's parameter. */
interface Parameter {
  data?: unknown;
  pipes?: unknown[];
  factory?: unknown;
}

/** The contracts that validate a parameter: those of its pipes (`valid(schema)`). */
function schemas({ data, pipes = [] }: Parameter): z.ZodType[] {
  return pipes
    .map((pipe) =>
      typeof pipe === 'object' && pipe !== null && 'contract' in pipe ? pipe.contract : undefined,
    )
    .filter((contract) => contract instanceof z.ZodType)
    .map((contract) => (typeof data === 'string' ? z.object({ [data]: contract }) : contract));
}

function pathsOf(target: object): string[] {
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [paths ?? ''].flat().map((path) => path.replace(/^\/+|\/+$/g, ''));
}
