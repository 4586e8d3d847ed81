-- The ledger of letters: each that was asked for, whatever became of it, and when it is to be queued.
create schema letters;

-- How far the log was looked through for letters. No row before the first start, which begins at the log's end.
create table letters.checkpoint (
  only_row boolean primary key default true check (only_row),
  commit_position bigint not null,
  prepare_position bigint not null,
  events bigint not null,
  -- The identity of that log.
  log_id uuid,
  -- The last event that was looked at, and its place: where letters begin in an adopted log, that is another one than the checkpoint's.
  last_event uuid,
  last_event_at bigint
);

-- One row for each letter, those of accounts too; neither address nor text.
create table letters.letter (
  -- The id of the event that the letter tells of, or what else it is due to. Never asked for twice.
  cause text primary key,
  kind text not null,
  account_id uuid not null,
  -- None where the letter is about an account.
  borrow_id uuid,
  caused_at timestamptz not null,
  -- Refused: the mail server takes no letters to the address. It is not queued again.
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'dropped', 'refused')),
  queue text not null default 'letters',
  -- What the letter's job is given: ids, kinds, places in the log and times. None where the letter is about a borrow: the other
  -- columns say it.
  data jsonb,
  correlation_id text,
  -- When it is to be queued, as long as it is open: that of a visit once nothing was done for a while. While a job has it in hand, that is when nobody will believe so any more.
  due_at timestamptz not null default now(),
  -- Since when a job has it in hand, in its queue or at work.
  queued_at timestamptz,
  -- How often it was queued, and how often a job began with it.
  rounds integer not null default 0,
  claims integer not null default 0,
  -- Who is sending it, since when.
  claim uuid,
  claimed_at timestamptz,
  settled_at timestamptz,
  -- Why it was not sent the last time; names no address.
  problem text
)
-- Each row is written three times.
with (fillfactor = 60);
-- What is not settled, oldest first. No column that changes when a letter is claimed is in an index, so a claim
-- writes the row's page alone.
create index letter_open on letters.letter (queue, caused_at) where settled_at is null;
-- Of fees alone it is asked when the last letter was; rows come in the order of their causes.
create index letter_fees on letters.letter (borrow_id, caused_at) where kind = 'fee-charged';
-- The visits of a reader: of each the letter has the first and the last event.
create index letter_visits on letters.letter (account_id, caused_at) where kind = 'visit';
create index letter_age on letters.letter using brin (caused_at) with (pages_per_range = 16, autosummarize = on);
