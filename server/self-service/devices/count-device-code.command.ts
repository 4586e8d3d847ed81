import { CommandWith } from '../../messages.js';

/** Counts an attempt to bind a kiosk. */
export class CountDeviceCode extends CommandWith<
  void,
  {
    /** Of the caller, as `addressKey` gives it */
    address: string;
  }
> {}
