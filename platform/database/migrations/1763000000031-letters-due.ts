import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LettersDue1763000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The ledger has every letter now, those of accounts too, and says itself when each is to be queued.
      alter table letters.letter
        -- None where the letter is about an account.
        alter column borrow_id drop not null,
        add column queue text not null default 'letters',
        -- What the letter's job is given: ids, kinds and times. Absent from rows of earlier releases.
        add column data jsonb,
        add column correlation_id text,
        -- When it is to be queued, as long as it is open. While a job has it in hand, that is when nobody will believe so any more.
        add column due_at timestamptz not null default now(),
        -- Since when a job has it in hand, in its queue or at work.
        add column queued_at timestamptz,
        -- How often it was queued, and how often a job began with it.
        add column rounds integer not null default 0,
        add column claims integer not null default 0,
        -- Why it was not sent the last time; names no address.
        add column problem text,
        drop constraint letter_state_check,
        -- Refused: the mail server takes no letters to the address. It is not queued again.
        add constraint letter_state_check check (state in ('waiting', 'sending', 'sent', 'dropped', 'refused'));
      -- What waits is due at once, whether its job is still in a queue or lost; what is being sent may be in hand of
      -- a process of the earlier release.
      update letters.letter set due_at = greatest(now(), claimed_at + interval '3 minutes') where state = 'sending';
      create index letter_due on letters.letter (queue, due_at) where state in ('waiting', 'sending');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
