import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { FormCard } from '../../components/form/form-card.js';
import { usePageTitle } from '../../domain/use-page-title.js';

/**
 * Where the provider sends a person whose payment was refused or broken off; the page stays. What was begun stays
 * remembered: should the provider take it after all, it can still be confirmed.
 */
export function PaymentFailPage() {
  usePageTitle(m.fees_payment());
  return (
    <div role="alert">
      <FormCard title={m.common_payment_failed()} lead={m.fees_nothing_paid()}>
        <div>
          <ButtonLink to="/profile" look="primary">
            {m.fees_back_to_profile()}
          </ButtonLink>
        </div>
      </FormCard>
    </div>
  );
}
