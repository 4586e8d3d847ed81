import { Module } from '@nestjs/common';
import { FillShelves } from './fill-shelves.js';

/** The job that fills the shelves, by itself: a worker does it, which has no catalogue. */
@Module({ providers: [FillShelves] })
export class FillShelvesModule {}
