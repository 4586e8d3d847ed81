import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataKeysModule } from '#platform/data-keys.js';
import { AccountEntity, RoleChangeEntity } from '#platform/database/entities/account.entity.js';
import { SessionEntity } from '#platform/database/entities/sign-in.entity.js';
import { AccessGuard } from './access.guard.js';
import { SessionCache } from './sessions/session-cache.js';
import { AccountController } from './account.controller.js';
import {
  AttemptLimits,
  CountDeviceCodeHandler,
  CountWrongListLinkHandler,
} from './rate-limiting/attempt-limits.js';
import { PermissionSets } from './permissions/permission-sets.commands.js';
import { PermissionSetsController } from './permissions/permission-sets.controller.js';
import { PasswordCommands } from './passwords/password.commands.js';
import { ReadersCommands } from './readers/readers.commands.js';
import { GuessLimits } from './rate-limiting/guess-limits.js';
import { CardCommands } from './readers/card.commands.js';
import { CardPins, CheckPinHandler } from './readers/card-pin.commands.js';
import { CardController } from './readers/card.controller.js';
import { FindReadersHandler, CardQueries } from './readers/card.queries.js';
import { PublishedPasswords } from './passwords/published-passwords.js';
import { ReadersController } from './readers/readers.controller.js';
import { ReaderImportCommands } from './reader-import/reader-import.commands.js';
import { ReaderImportController, ReadsReadersFile } from './reader-import/reader-import.controller.js';
import { ReadersQueries } from './readers/readers.queries.js';
import { FirstAdmin } from './first-admin.js';
import { RegistrationCommands } from './registration/registration.commands.js';
import { RegistrationQueries } from './registration/registration.queries.js';
import { CodeAppCommands } from './second-factor/code-app.commands.js';
import { ConfirmCommands } from './second-factor/confirm.commands.js';
import { PasskeyCommands } from './second-factor/passkey.commands.js';
import { Proofs } from './second-factor/proofs.js';
import { SecondFactorSignInController } from './second-factor/second-factor-sign-in.controller.js';
import { SecondFactorSignInCommands } from './second-factor/second-factor-sign-in.commands.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorQueries } from './second-factor/second-factor.queries.js';
import { SessionSweep } from './sessions/session-idle.js';
import { SessionsCommands } from './sessions/sessions.commands.js';
import { SessionsController } from './sessions.controller.js';
import { GetStandingHandler, SessionsQueries, VerifyTokenHandler } from './sessions/sessions.queries.js';
import { Sessions } from './sessions/sessions.js';
import { DeskRegistrationCommands } from './readers/desk-registration.commands.js';
import { SignInCommands } from './sign-in.commands.js';
import { SignOnProviders } from './sign-on/providers.js';
import { SignOnController } from './sign-on/sign-on.controller.js';
import { SignOnCommands } from './sign-on/sign-on.commands.js';
import { SignOnLogoutCommands } from './sign-on/sign-on-logout.commands.js';

const SECOND_FACTOR = [
  Proofs,
  CodeAppCommands,
  PasskeyCommands,
  ConfirmCommands,
  SecondFactorSignInCommands,
  SecondFactorQueries,
];

/**
 * Accounts and sessions, with the guard that refuses every call which its handler does not allow. Everything else
 * than HTTP, such as the live socket, uses `VerifyToken`.
 */
@Module({
  imports: [
    CqrsModule,
    DataKeysModule,
    TypeOrmModule.forFeature([AccountEntity, RoleChangeEntity, SessionEntity]),
  ],
  controllers: [
    AccountController,
    ReadersController,
    CardController,
    ReaderImportController,
    SessionsController,
    SecondFactorSignInController,
    SecondFactorController,
    SignOnController,
    PermissionSetsController,
  ],
  providers: [
    SessionCache,
    AttemptLimits,
    GuessLimits,
    PublishedPasswords,
    Sessions,
    SessionSweep,
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
    ...SECOND_FACTOR,
    RegistrationQueries,
    RegistrationCommands,
    FirstAdmin,
    DeskRegistrationCommands,
    SignInCommands,
    SignOnProviders,
    SignOnCommands,
    SignOnLogoutCommands,
    PasswordCommands,
    SessionsCommands,
    VerifyTokenHandler,
    GetStandingHandler,
    SessionsQueries,
    ReadersQueries,
    ReadersCommands,
    ReaderImportCommands,
    ReadsReadersFile,
    PermissionSets,
    FindReadersHandler,
    CardQueries,
    CardCommands,
    CardPins,
    CheckPinHandler,
    CountWrongListLinkHandler,
    CountDeviceCodeHandler,
  ],
})
export class AccountsModule {}
