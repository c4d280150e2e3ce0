export type { AdapterAccount, AdapterAccountType, StoredAccount } from '../model/account.ts'
export {
  type Adapter,
  AdapterConflict,
  type AdapterMethod,
  type AtomicAbilities,
  atomic,
  type ConflictKind,
  type CountedAttempt,
  isAdapterConflict,
  isDate,
  type UserAdapter,
  type UserPage,
} from '../model/adapter.ts'
export type { AdapterAuthenticator } from '../model/authenticator.ts'
export type {
  JsonObject,
  JsonValue,
  PluginRecord,
  RecordAbilities,
  RecordKey,
  RecordPage,
  RecordQuery,
} from '../model/record.ts'
export type { AdapterSession } from '../model/session.ts'
export type { AdapterUser, StoredUser } from '../model/user.ts'
export type { VerificationToken } from '../model/verification-token.ts'
