import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeskPayments1763000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Fees paid at the desk are in the same ledger, under the provider 'desk'. There 'open' says that a librarian
      -- has the money and FinePaid is not known to be stored, and 'refused' that it was not owed and was not recorded.
      alter table payment_transaction
        -- The librarian who has the money: an account id, kept when the account is no more.
        add column received_by uuid,
        add check ((provider = 'desk') = (received_by is not null)),
        add check (provider <> 'desk' or status in ('open', 'paid', 'refused'));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
