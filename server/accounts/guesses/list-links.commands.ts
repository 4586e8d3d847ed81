import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AttemptLimits } from './attempt-limits.js';

/** Counts a link to a reader's list that leads nowhere. Who opens links that do is never held up. */
export class CountWrongListLink extends Command<void> {
  /** @param address of the caller, as `addressKey` gives it */
  constructor(readonly address: string) {
    super();
  }
}

@CommandHandler(CountWrongListLink)
export class CountWrongListLinkHandler implements ICommandHandler<CountWrongListLink> {
  constructor(private readonly limits: AttemptLimits) {}

  /** @throws TooManyAttempts */
  async execute({ address }: CountWrongListLink): Promise<void> {
    await this.limits.listLink.take(address);
  }
}
