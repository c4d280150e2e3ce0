import * as latchkey from 'latchkey'
import { type AuthConfig, createActionURL, isAuthAction, setEnvDefaults } from 'latchkey'
import * as errors from 'latchkey/errors'
import Passkey from 'latchkey/providers/passkey'
import { oncePer } from '../../../src/base/once.ts'
import { authJsRollback } from '../../../src/plugins/auth-js-rollback/index.ts'
import { copyOfPeer } from './peer-copy.ts'

/** One of the two services: the library, or its peer dressed in the library's types. */
export interface Side {
  readonly name: 'latchkey' | 'peer'
  auth(request: Request, config: AuthConfig): Promise<unknown>
  readonly raw: typeof latchkey.raw
  readonly skipCSRFCheck: typeof latchkey.skipCSRFCheck
  readonly customFetch: typeof latchkey.customFetch
  readonly errors: typeof errors
  readonly Passkey: typeof Passkey
  readonly createActionURL: typeof createActionURL
  readonly isAuthAction: typeof isAuthAction
  readonly setEnvDefaults: typeof setEnvDefaults
}

export const ours: Side = {
  name: 'latchkey',
  auth: latchkey.Auth,
  raw: latchkey.raw,
  skipCSRFCheck: latchkey.skipCSRFCheck,
  customFetch: latchkey.customFetch,
  errors,
  Passkey,
  createActionURL,
  isAuthAction,
  setEnvDefaults,
}

/** The library with a way back to its peer. */
export const returning: Side = {
  ...ours,
  auth: (request, config) => latchkey.Auth(request, withWayBack(config)),
}

/** The same object each time: what belongs to a configuration is kept by it. */
const withWayBack = oncePer(
  (config: AuthConfig): AuthConfig => ({ ...config, plugins: [authJsRollback()] }),
  new WeakMap<AuthConfig, AuthConfig>(),
)

/** @param copy see {@link copyOfPeer} */
export async function theirs(copy: string): Promise<Side> {
  const { core, errors, Passkey } = await copyOfPeer(copy)
  return { ...core, errors, Passkey, name: 'peer', auth: core.Auth } as unknown as Side
}
