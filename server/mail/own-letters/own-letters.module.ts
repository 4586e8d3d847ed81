import { Controller, Module } from '@nestjs/common';
import * as calls from '#contracts/library/own-words.js';
import type { LettersView, LetterView } from '#contracts/library/own-words.js';
import { Serves, type Asked } from '../../http/serves.js';
import { LibraryModule } from '../../library/library.module.js';
import { BorrowLettersModule } from '../borrow-letters/borrow-letters.module.js';
import { MailModule } from '../mail.module.js';
import { OwnLetters } from './own-letters.js';

/** What letters and papers say in the library's own words, and which letters are sent. */
@Controller()
class OwnLettersController {
  constructor(private readonly letters: OwnLetters) {}

  @Serves(calls.readLetters)
  readLetters(): Promise<LettersView> {
    return this.letters.all();
  }

  @Serves(calls.changeSending)
  changeSending({ caller, body }: Asked<typeof calls.changeSending>): Promise<LettersView> {
    return this.letters.changeSending(body, caller.accountId);
  }

  @Serves(calls.readLetter)
  readLetter({ params, query }: Asked<typeof calls.readLetter>): Promise<LetterView> {
    return this.letters.one(params.letter, query.language);
  }

  @Serves(calls.changeLetter)
  changeLetter({ caller, params, body }: Asked<typeof calls.changeLetter>): Promise<LetterView> {
    return this.letters.change(params.letter, body, caller.accountId);
  }

  @Serves(calls.previewLetter)
  previewLetter({ caller, params, body }: Asked<typeof calls.previewLetter>) {
    return this.letters.preview(params.letter, body, caller.accountId);
  }

  @Serves(calls.tryLetter)
  tryLetter({ caller, params, body }: Asked<typeof calls.tryLetter>): Promise<{ sent: true }> {
    return this.letters.sendToOneself(params.letter, body, caller.accountId);
  }
}

@Module({
  imports: [LibraryModule, MailModule, BorrowLettersModule],
  controllers: [OwnLettersController],
  providers: [OwnLetters],
})
export class OwnLettersModule {}
