import { Column, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';

@Entity('author')
export class AuthorEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') firstname!: string;
  @Column('text') lastname!: string;
  @Column('text') nationality!: string;
  @Column('text') biography!: string;
  @VersionColumn() version!: number;
  /** Made by the database: the name as it is compared with others. */
  @Column({ type: 'text', nullable: true, select: false, insert: false, update: false }) folded!: string;
  /** Made by the database: what duplicates are proposed by. */
  @Column({ type: 'text', nullable: true, select: false, insert: false, update: false }) likeness!: string;
}
