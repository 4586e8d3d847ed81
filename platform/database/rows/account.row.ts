import { Column, CreateDateColumn, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { Role } from '#contracts/accounts/account-views.js';

@Entity('account')
export class AccountRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') username!: string;
  @Column('text') email!: string;
  @Column('text', { name: 'password_hash' }) passwordHash!: string;
  @Column('text') firstname!: string;
  @Column('text') lastname!: string;
  @Column({ type: 'text', insert: false, update: false }) fullname!: string;
  @Column('date', { name: 'date_of_birth' }) dateOfBirth!: string;
  @Column('text') gender!: 'Male' | 'Female' | 'Other';
  @Column('text') country!: string;
  @Column('text') city!: string;
  @Column('text') adress!: string;
  @Column('text', { name: 'postal_code' }) postalCode!: string;
  @Column('text', { array: true }) roles!: Role[];
  @Column('boolean', { name: 'email_confirmed' }) emailConfirmed!: boolean;
  @Column('integer') session!: number;
  @CreateDateColumn({ type: 'timestamptz' }) created!: Date;
  @VersionColumn() version!: number;
}
