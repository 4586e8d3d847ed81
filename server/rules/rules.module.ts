import { Module } from '@nestjs/common';
import { RuleChanges } from './rule-changes.js';
import { RulesController } from './rules.controller.js';

/** The screen of the rules. Who decides by them has them from `LibraryRules`. */
@Module({ controllers: [RulesController], providers: [RuleChanges] })
export class RulesModule {}
