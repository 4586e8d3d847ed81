import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { usePageTitle } from '../../domain/use-page-title.js';

/**
 * Where the provider sends a person whose payment was refused or broken off; the page stays. What was begun stays
 * remembered: should the provider take it after all, it can still be confirmed.
 */
export function PaymentFailPage() {
  usePageTitle('Payment');
  return (
    <div role="alert">
      <FormCard
        title={m.common_payment_failed()}
        lead="Nothing was paid and the fee is still due. You can pay it from your profile."
      >
        <div>
          <ButtonLink to="/profile" look="primary">
            Back to your profile
          </ButtonLink>
        </div>
      </FormCard>
    </div>
  );
}
