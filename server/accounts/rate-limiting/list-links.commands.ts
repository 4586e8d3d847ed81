import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CountWrongListLink } from '../../catalogue/lists/wrong-link.command.js';
import { AttemptLimits } from './attempt-limits.js';

@CommandHandler(CountWrongListLink)
export class CountWrongListLinkHandler implements ICommandHandler<CountWrongListLink> {
  constructor(private readonly limits: AttemptLimits) {}

  /** @throws TooManyAttempts */
  async execute({ address }: CountWrongListLink): Promise<void> {
    await this.limits.listLink.take(address);
  }
}
