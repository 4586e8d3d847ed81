import { Injectable } from '@nestjs/common';
import { DataSource, Not } from 'typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { byEmail, nameKey } from '#platform/database/entities/account-names.js';
import { emailTaken, usernameTaken } from '../taken-names.js';

@Injectable()
export class RegistrationQueries {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether a name and an address can be registered now; only the registration itself decides between two at a time.
   * @throws DomainError `UsernameTaken` or `EmailTaken`
   */
  async find(username: string, email: string): Promise<void> {
    const accounts = this.dataSource.getRepository(AccountEntity);
    const ofAddress = await accounts.find({
      select: { id: true, emailConfirmed: true },
      where: byEmail(email),
    });
    if (ofAddress.some(({ emailConfirmed }) => emailConfirmed)) throw emailTaken();
    // Whoever registers the address again takes the place of who never confirmed it, with their name.
    const own = ofAddress.map(({ id }) => ({ id: Not(id) }));
    const named = { nameKey: nameKey(username) };
    const isTaken = await accounts.existsBy(own.length === 1 ? { ...named, ...own[0] } : named);
    if (isTaken) throw usernameTaken();
  }
}
