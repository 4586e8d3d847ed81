import { CommandWith } from '../../messages.js';

/** Counts a link to a reader's list that leads nowhere. Who opens links that do is never held up. */
export class CountWrongListLink extends CommandWith<
  void,
  {
    /** Of the caller, as `addressKey` gives it */
    address: string;
  }
> {}
