import { Controller, Get } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { readerSchema, type Reader } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { Answers } from '../http/answers.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { readerView } from './reader-view.js';

/** What the caller's profile shows of himself. */
@Controller('User')
export class ProfileController {
  constructor(@InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>) {}

  @Get('profile')
  @Allow('SignedIn')
  @Answers(readerSchema)
  async profile(@Caller() caller: SignedIn): Promise<Reader> {
    const account = await this.accounts.findOneBy({ id: caller.accountId });
    if (!account) throw new DomainError('NotFound', 'Your account no longer exists.');
    return readerView(account);
  }
}
