import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Injectable,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Answered, Call, Taken } from '#contracts/call.js';
import type { ActingDevice, SignedIn, SignedInRequest } from './access.js';
import { ReadYourWrites } from './read-your-writes.js';
import { liftDeadline } from './request-deadline.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { valid } from './validation.js';

export const CALL = 'call';

/** What the handler of a call is given: what was sent, who sent it, and the caller's key for it. */
export type Asked<C extends Call> = Taken<C> &
  ('Everybody' extends C['may'][number]
    ? unknown
    : 'Device' extends C['may'][number]
      ? { device: ActingDevice }
      : { caller: SignedIn }) &
  (C extends { keyed: true } ? { key: string | undefined } : unknown);

type Answer<C extends Call> = C extends { forms: z.ZodType } ? z.output<C['forms']> : Answered<C>;
type Handler<C extends Call> = (asked: Asked<C>, ...more: never[]) => Answer<C> | Promise<Answer<C>>;

/**
 * The handler serves this call: `@Serves(lendBooks)`. Who may make it, and what of it is valid, has been seen to before.
 * The path is the whole one: the controller has none.
 */
export function Serves<C extends Call>(call: C) {
  return <H extends Handler<C>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const { method, path, status = 200, takesLong, decidedByLog } = call;
    applyDecorators(
      RequestMapping({ method: RequestMethod[method], path }),
      HttpCode(status),
      SetMetadata(CALL, call),
      ...(takesLong ? [UseInterceptors(LongCalls)] : []),
      ...(decidedByLog ? [] : [UseGuards(ReadYourWrites)]),
    )(target, name, descriptor);
    AskedOf(call)(target, name, 0);
  };
}

/** Lifts the deadline of handlers that print or take an upload, once the caller is admitted. */
@Injectable()
class LongCalls implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    liftDeadline(context.switchToHttp().getResponse<Response>());
    return next.handle();
  }
}

const PARTS = ['params', 'query', 'body'] as const;

/** The first parameter of a handler. */
const AskedOf = createParamDecorator((call: Call, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<SignedInRequest>();
  const { signedIn, device } = request;
  if (!signedIn && !device && !call.may.includes('Everybody')) {
    throw new Error('Nobody has looked at who makes this call.');
  }
  const parts = PARTS.flatMap((part) => {
    const schema = call[part];
    return schema ? [[part, valid(schema, request[part])] as const] : [];
  });
  return {
    ...Object.fromEntries(parts),
    ...(signedIn && { caller: signedIn }),
    ...(device && { device }),
    ...(call.keyed && { key: idempotencyKeyOf(request) }),
  };
});
