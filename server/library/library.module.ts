import { Module } from '@nestjs/common';
import { UploadedPictures } from '../http/uploaded-pictures.js';
import { LibraryDemo } from './demo.js';
import { LibraryChanges } from './library-changes.js';
import { LibraryController } from './library.controller.js';

/** What the library says of itself. Whoever shows it has it from `LibraryFacts`. */
@Module({
  controllers: [LibraryController],
  providers: [LibraryChanges, LibraryDemo, UploadedPictures],
  exports: [LibraryChanges],
})
export class LibraryModule {}
