import { Column, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';

@Entity('publisher')
export class PublisherEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') name!: string;
  @Column('text') adress!: string;
  @Column('text') phone!: string;
  @Column('text') website!: string;
  @VersionColumn() version!: number;
  /** Made by the database: the name as it is compared with others. */
  @Column({ type: 'text', nullable: true, select: false, insert: false, update: false }) folded!: string;
  /** Made by the database: what duplicates are proposed by. */
  @Column({ type: 'text', nullable: true, select: false, insert: false, update: false }) likeness!: string;
}
