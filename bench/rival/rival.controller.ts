import {
  Body,
  Controller,
  createParamDecorator,
  ForbiddenException,
  HttpCode,
  Injectable,
  Post,
  Query,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { z } from 'zod';
import { RivalService } from './rival.service.js';
import { verified, type RivalCaller } from './rival-token.js';

const booksBody = z.object({ bookIds: z.array(z.int().positive()).min(1).max(20) });
const deskQuery = z.object({ borrowId: z.guid(), userId: z.guid() });

const Librarians = () => SetMetadata('librarians', true);
const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ caller: RivalCaller }>().caller,
);

/** Lets in whoever has a token, and librarians where a call is theirs. */
@Injectable()
export class RivalGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: { authorization?: string }; caller?: RivalCaller }>();
    const caller = verified(request.headers.authorization?.slice('Bearer '.length) ?? '');
    if (!caller) throw new UnauthorizedException();
    const isForLibrarians = this.reflector.get<boolean | undefined>('librarians', context.getHandler());
    if (isForLibrarians && !caller.roles.includes('Admin')) throw new ForbiddenException();
    request.caller = caller;
    return true;
  }
}

@Controller('api/Borrow')
export class RivalController {
  constructor(private readonly borrows: RivalService) {}

  @Post('rent-books')
  @HttpCode(200)
  rent(@Caller() { sub }: RivalCaller, @Body({ schema: booksBody }) { bookIds }: z.infer<typeof booksBody>) {
    return this.borrows.rent(sub, bookIds);
  }

  @Post('issue-books')
  @HttpCode(200)
  @Librarians()
  issue(
    @Caller() { sub }: RivalCaller,
    @Query({ schema: deskQuery }) { borrowId, userId }: z.infer<typeof deskQuery>,
    @Body({ schema: booksBody }) { bookIds }: z.infer<typeof booksBody>,
  ) {
    return this.borrows.issue(sub, borrowId, userId, bookIds);
  }

  @Post('return-books')
  @HttpCode(200)
  @Librarians()
  takeBack(
    @Caller() { sub }: RivalCaller,
    @Query({ schema: deskQuery }) { borrowId, userId }: z.infer<typeof deskQuery>,
    @Body({ schema: booksBody }) { bookIds }: z.infer<typeof booksBody>,
  ) {
    return this.borrows.takeBack(sub, borrowId, userId, bookIds);
  }
}
