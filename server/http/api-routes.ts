import type { INestApplication, Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Call } from '#contracts/call.js';
import { CALL } from './serves.js';

/** A call, with the handler that serves it. */
export type ApiRoute = Call & {
  /** Its heading in the API's description. */
  tag: string;
  /** The handler's name. */
  handler: string;
};

/** Every call that the app serves. */
export function apiRoutes(app: INestApplication): ApiRoute[] {
  return handlersOf(app)
    .flatMap(({ name, call }) =>
      call ? [{ ...call, tag: call.tag ?? call.path.replace(/\/.*/, ''), handler: name }] : [],
    )
    .sort((one, other) => `${one.path} ${one.method}`.localeCompare(`${other.path} ${other.method}`, 'en'));
}

/** A handler of requests, with the call that it serves. */
export interface Handler {
  controller: Type;
  name: string;
  call: Call | undefined;
}

export function handlersOf(app: INestApplication): Handler[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, object>;
    return scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}))
      .map((name) => ({
        controller,
        name,
        call: Reflect.getMetadata(CALL, prototype[name] ?? {}) as Call | undefined,
      }));
  });
}
