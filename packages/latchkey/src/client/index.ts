export {
  type AuthClient,
  type AuthorizationParams,
  type ClientOptions,
  createAuthClient,
  type GetSessionOptions,
  type Page,
  type SessionFrom,
  type SignInOptions,
  type SignInResult,
  type SignOutOptions,
  type SignOutResult,
} from './client.ts'
export { finishPopup } from './popup.ts'
export {
  ClientError,
  type ClientProvider,
  type FieldError,
  type Refusal,
  type Settled,
  settle,
} from './requests.ts'
export type { SessionState, SessionStore, SessionStoreOptions } from './session-store.ts'
