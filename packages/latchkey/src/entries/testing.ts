/**
 * Tools for the tests of an application: a world without delays and without a network, and simulated
 * services.
 * @module
 */

export type { Ports } from '../base/ports.ts'
export { type AuthCore, createAuth } from '../core/auth.ts'
export { enrolTotp, signUpAs, type TestAccount, type TestApp } from '../testing/accounts.ts'
export { createMailbox, type Mail, type Mailbox } from '../testing/mailbox.ts'
export { createSoftPasskey, type SoftPasskey } from '../testing/passkey.ts'
export {
  type AuthorizeOptions,
  createTestProvider,
  type TestProfile,
  type TestProvider,
  type TestProviderOptions,
} from '../testing/provider.ts'
export { type BrowserCookie, type SignedInAs, signInAs } from '../testing/sign-in-as.ts'
export { createWorld, type Logged, type World, type WorldOptions } from '../testing/world.ts'
