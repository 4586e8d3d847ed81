import { Injectable } from '@nestjs/common';
import { PaymentProvider, providerUnavailable } from './payment-provider.js';

/** Stands where neither Stripe nor the sandbox is on: nothing is offered, so there is nothing that it could be asked. */
@Injectable()
export class NoProvider extends PaymentProvider {
  readonly name = 'none';
  override readonly online = false;
  readonly minimumAmount = 0;

  open(): Promise<never> {
    return this.refuse();
  }

  look(): Promise<never> {
    return this.refuse();
  }

  expire(): Promise<never> {
    return this.refuse();
  }

  refund(): Promise<never> {
    return this.refuse();
  }

  private refuse(): Promise<never> {
    return Promise.reject(providerUnavailable('This library takes no payments online.'));
  }
}
