import * as m from '#words/messages.js';
import { useNavigate } from 'react-router-dom';
import { Button, ButtonLink } from '../../components/form/button.js';
import { SET_UP, SetUpFrame } from '../../domain/set-up-frame.js';

/** The last step of the set-up: what the library lends, and to whom. */
export function SetUpBooksPage() {
  const navigate = useNavigate();
  return (
    <SetUpFrame step={3}>
      <p>{m.set_up_books_lead()}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/admin/books/save">{m.set_up_add_book()}</ButtonLink>
        <ButtonLink to="/admin/users">{m.set_up_register_readers()}</ButtonLink>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={SET_UP.hours}>{m.set_up_back()}</ButtonLink>
        <Button look="primary" onClick={() => void navigate('/admin/dashboard')}>
          {m.set_up_finish()}
        </Button>
      </div>
    </SetUpFrame>
  );
}
