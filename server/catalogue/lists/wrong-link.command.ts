import { Command } from '@nestjs/cqrs';

/** Counts a link to a reader's list that leads nowhere. Who opens links that do is never held up. */
export class CountWrongListLink extends Command<void> {
  /** @param address of the caller, as `addressKey` gives it */
  constructor(readonly address: string) {
    super();
  }
}
