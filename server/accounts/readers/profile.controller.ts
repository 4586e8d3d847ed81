import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { readerSchema, type Reader } from '#contracts/accounts/account-views.js';
import { Answers } from '../../http/answers.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { GetProfile } from './readers.queries.js';

/** The caller's own profile. */
@Controller('User')
export class ProfileController {
  constructor(private readonly queries: QueryBus) {}

  @Get('profile')
  @Allow('SignedIn')
  @Answers(readerSchema)
  profile(@Caller() caller: SignedIn): Promise<Reader> {
    return this.queries.execute(new GetProfile(caller.accountId));
  }
}
