import { ChevronDown } from 'lucide-react';
import { Accordion } from 'radix-ui';
import type { Reader } from '#contracts/accounts/account-views.js';
import { READER_KIND_WORDS } from '#contracts/rules/kinds.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Skeleton } from '../../components/skeleton.js';
import { Fact } from '../../components/fact.js';
import { isoDay } from '../../lib/dates.js';
import styles from './users-list.module.css';

interface UsersListProps {
  /** Undefined while loading. */
  users: readonly Reader[] | undefined;
  /** Another page is on its way. */
  stale: boolean;
  onEdit: (user: Reader) => void;
}

/** One reader expanded at a time; clicking again collapses. */
export function UsersList({ users, stale, onEdit }: UsersListProps) {
  if (!users) {
    return (
      <div className={styles.users} role="group" aria-busy="true" aria-label="Loading the readers">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className={styles.place}>
            <Skeleton width={`${70 - ((row * 13) % 35)}%`} />
          </div>
        ))}
      </div>
    );
  }
  return (
    <Accordion.Root
      type="single"
      collapsible
      className={styles.users}
      aria-busy={stale || undefined}
      data-stale={stale || undefined}
    >
      {users.map((user) => (
        <Accordion.Item key={user.id} value={user.id} className={styles.user} data-user={user.userName}>
          <Accordion.Header className={styles.header}>
            <Accordion.Trigger className={styles.trigger}>
              <span className={styles.name}>{user.fullname}</span>
              <span className={styles.username}>{user.userName}</span>
              <span className={styles.email}>{user.email}</span>
              <span className={styles.roles}>
                {marksOf(user).map((mark) => (
                  <span key={mark} className={styles.role}>
                    {mark}
                  </span>
                ))}
              </span>
              <ChevronDown size={18} className={styles.chevron} aria-hidden="true" />
            </Accordion.Trigger>
          </Accordion.Header>
          <Accordion.Content className={styles.content}>
            <dl className={styles.facts}>
              {factsOf(user).map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button
                look="primary"
                size="small"
                aria-label={`Edit ${user.fullname}`}
                onClick={() => onEdit(user)}
              >
                Edit
              </Button>
              <ButtonLink
                size="small"
                to={`/admin/readers/${user.id}`}
                aria-label={`Books and card of ${user.fullname}`}
              >
                Books and card
              </ButtonLink>
            </div>
          </Accordion.Content>
        </Accordion.Item>
      ))}
    </Accordion.Root>
  );
}

/** In what he is not like most. */
function marksOf({ kind, roles }: Reader): string[] {
  return [
    ...(kind === 'adult' ? [] : [READER_KIND_WORDS[kind]]),
    ...roles.filter((role) => role !== 'Reader'),
  ];
}

function factsOf(user: Reader): [string, string][] {
  return [
    ['Username', user.userName],
    ['Email', user.email],
    ['First name', user.firstname],
    ['Last name', user.lastname],
    ['Date of birth', user.dateOfBirth],
    ['User since', isoDay(user.created)],
    ['Gender', user.gender],
    ['Country', user.country],
    ['City', user.city],
    ['Address', user.adress],
    ['Postal code', user.postalCode],
    ['Kind of reader', READER_KIND_WORDS[user.kind]],
  ];
}
