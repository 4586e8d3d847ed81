import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { RequestInvalid } from '../../http/validation.js';
import { CommandWith } from '../../messages.js';
import { hashPassword, passwordMatches } from '../passwords/passwords.js';
import { AttemptLimits } from '../rate-limiting/attempt-limits.js';
import { accountNotFound } from '../reader-view.js';

/** Whether it is the PIN of a reader's card; `none` where they have none. */
export class CheckPin extends CommandWith<
  'right' | 'wrong' | 'none',
  {
    accountId: string;
    /** Where it was typed */
    deviceId: string;
    pin: string;
  }
> {}

@CommandHandler(CheckPin)
export class CheckPinHandler implements ICommandHandler<CheckPin> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly limits: AttemptLimits,
  ) {}

  /** @throws TooManyAttempts at this card, whatever is typed, or at this device */
  async execute({ accountId, deviceId, pin }: CheckPin): Promise<'right' | 'wrong' | 'none'> {
    const { pinOfCard, pinAtDevice } = this.limits;
    const at = await pinAtDevice.take(deviceId);
    await pinOfCard.take(accountId, accountId);
    const text = 'select hash from card_pin where account_id = $1';
    const row = await queryRow(this.database, z.object({ hash: z.string() }), text, [accountId]);
    if (!(await passwordMatches(row?.hash, pin))) return row ? 'wrong' : 'none';
    await pinOfCard.forget(accountId);
    await pinAtDevice.giveBack(deviceId, at);
    return 'right';
  }
}

@Injectable()
export class CardPins {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly limits: AttemptLimits,
  ) {}

  /**
   * Sets the PIN of a reader's card, in place of the one before.
   * @throws RequestInvalid for one that is easy to guess; DomainError NotFound
   */
  async set(accountId: string, pin: string): Promise<void> {
    const text = `select to_char(date_of_birth, 'YYYY-MM-DD') as born from account where id = $1`;
    const row = await queryRow(this.database, z.object({ born: z.string() }), text, [accountId]);
    if (!row) throw accountNotFound();
    if (isWeak(pin, row.born)) throw new RequestInvalid({ pin: [m.pin_weak()] });
    await this.database.query(
      `insert into card_pin (account_id, hash) values ($1, $2)
       on conflict (account_id) do update set hash = excluded.hash`,
      [accountId, await hashPassword(pin)],
    );
    await this.limits.pinOfCard.forget(accountId);
  }
}

/** One digit again and again, digits in a row, a pattern, or a part of the day of birth. @param born yyyy-MM-dd */
function isWeak(pin: string, born: string): boolean {
  const [year = '', month = '', day = ''] = born.split('-');
  const short = year.slice(2);
  const ofBirth = [year, day + month, month + day, month + short, day + month + short, short + month + day];
  const inRow = '01234567890123456789';
  const backwards = [...inRow].reverse().join('');
  return (
    /^(\d{1,3})\1+$/.test(pin) || inRow.includes(pin) || backwards.includes(pin) || ofBirth.includes(pin)
  );
}
