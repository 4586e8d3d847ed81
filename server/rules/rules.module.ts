import { Module } from '@nestjs/common';
import { RuleChanges } from './rule-changes.js';
import { RuleDrafts } from './rule-drafts.js';
import { RuleDraftsController, RulesController } from './rules.controller.js';

/** The screen of the rules. Who decides by them has them from `LibraryRules`. */
@Module({
  // A draft's address would be a version's otherwise.
  controllers: [RuleDraftsController, RulesController],
  providers: [RuleChanges, RuleDrafts],
  exports: [RuleChanges],
})
export class RulesModule {}
