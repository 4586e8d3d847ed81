import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueAdminModule } from '../catalogue/catalogue-admin.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { ListsModule } from '../catalogue/lists/lists.module.js';
import { RulesModule } from '../rules/rules.module.js';
import { Feeds } from './feeds.js';
import { PublicFiles } from './public-files.js';
import { PublicPages } from './public-pages.js';

/** What everybody finds of the library without its site: pages that need no scripts, feeds, and what search engines ask for. */
@Module({
  imports: [CqrsModule, CatalogueModule, CatalogueAdminModule, ListsModule, RulesModule],
  providers: [PublicPages, PublicFiles, Feeds],
})
export class PublicPagesModule {}
