-- The ledger of payments, online and at the desk (docs/decisions/017-payments.md). Amounts are in hundredths of
-- the currency. It carries ids,
-- never a name or a card: those are the provider's.
create table payment_transaction (
  id uuid primary key,
  borrow_id uuid not null,
  reader_id uuid not null,
  -- What came in, or what went out: at the desk, of a book that was found.
  kind text not null default 'fee' check (kind in ('fee', 'refund')),
  amount integer not null check (amount > 0),
  -- All that was due when it was begun: at the desk as the librarian saw it, who may have taken a part.
  due integer not null check (due >= amount),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- 'desk', or the provider of payments online.
  provider text not null,
  -- What the provider calls it; none until it has answered, and never at the desk.
  provider_reference text,
  -- Online: open: may be paid. paid: the provider has the money and FinePaid is stored. refunding, refunded: it had the
  -- money, but nothing was owed any more. refused: declined. expired: never paid. failed: never offered.
  -- At the desk: open: a librarian has the money and FinePaid is not known to be stored. refused: it was not owed and was not
  -- recorded. undoing, undone: the money was handed back.
  status text not null check (status in
    ('open', 'paid', 'refunding', 'refunded', 'refused', 'expired', 'failed', 'undoing', 'undone')),
  -- Where FinePaid is in the log.
  log_position bigint,
  created timestamptz not null,
  updated timestamptz not null,
  -- The librarian who has the money: an account id, kept when the account is no more.
  received_by uuid,
  -- By whom and as which command it is undone, so that one that broke off can be completed.
  undoing jsonb,
  unique (provider, provider_reference),
  check ((provider = 'desk') = (received_by is not null)),
  check (kind = 'fee' or provider = 'desk'),
  check (case provider when 'desk' then status in ('open', 'paid', 'refused', 'undoing', 'undone')
    else status not in ('undoing', 'undone') end),
  check ((status in ('paid', 'undoing', 'undone')) = (log_position is not null))
);
-- A fee has one payment under way, however many tabs ask for one.
create unique index on payment_transaction (borrow_id, provider) where status = 'open';
create index on payment_transaction (provider, id) where status in ('open', 'refunding');
create index on payment_transaction (id) where status = 'undoing';
create index on payment_transaction (borrow_id);
-- Of the till's day.
create index on payment_transaction (created) where provider = 'desk';

-- The books of the sandbox provider, which stands in where no real one is set. The ledger above never looks
-- into them: it asks the provider.
create table sandbox_payment (
  -- Opens the page: cannot be guessed.
  reference text primary key,
  transaction_id uuid not null unique,
  amount integer not null check (amount > 0),
  currency text not null,
  titles jsonb not null,
  status text not null check (status in ('open', 'paid', 'refused', 'expired')),
  created timestamptz not null,
  expires timestamptz not null,
  charged_at timestamptz,
  refunded_at timestamptz,
  check ((status = 'paid') = (charged_at is not null)),
  check (refunded_at is null or charged_at is not null)
);

-- A waiver of more than whoever wants it may waive alone: somebody else, who may waive as much, approves or declines it
-- (docs/decisions/059-permissions.md). People are named as the log names them.
create table waiver_request (
  id uuid primary key,
  reader_id uuid not null references account (pseudonym) on delete cascade,
  borrow_id uuid not null,
  amount integer not null check (amount > 0),
  -- All that was due when it was asked for: where anything else is by now, nothing is waived.
  due integer not null check (due >= amount),
  reason text not null,
  note text,
  asked_by uuid not null references account (pseudonym) on delete cascade,
  asked_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'approved', 'declined', 'withdrawn', 'overtaken')),
  -- Who answered it. While it is open: who is approving it, with how much of one borrow they may waive alone (null: no limit).
  answered_by uuid references account (pseudonym) on delete set null,
  up_to integer,
  answer text,
  answered_at timestamptz
);
-- One for each borrow at a time.
create unique index on waiver_request (borrow_id) where state = 'open';
create index on waiver_request (reader_id);
create index on waiver_request (asked_by);
create index on waiver_request (answered_by);
