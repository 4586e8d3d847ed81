import { Column, Entity, PrimaryGeneratedColumn, VersionColumn } from 'typeorm';

@Entity('author')
export class AuthorRow {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') firstname!: string;
  @Column('text') lastname!: string;
  @Column('text') nationality!: string;
  @Column('text') biography!: string;
  @VersionColumn() version!: number;
}

@Entity('genre')
export class GenreRow {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @VersionColumn() version!: number;
}

@Entity('publisher')
export class PublisherRow {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') name!: string;
  @Column('text') adress!: string;
  @Column('text') phone!: string;
  @Column('text') website!: string;
  @VersionColumn() version!: number;
}
