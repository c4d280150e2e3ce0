import { createWorld, type World, type WorldOptions } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import Passkey from '../../src/providers/passkey.ts'
import type {
  Algorithm,
  CeremonyOptions,
  Credential,
  Mutation,
  SoftAuthenticator,
} from './authenticator.ts'
import { recordingAdapter } from './recording.ts'

export const ORIGIN = 'https://app.example'
export const OPTIONS = '/auth/webauthn-options/passkey'
export const CALLBACK = '/auth/callback/passkey'

/** The body of `GET webauthn-options`. */
export interface OptionsBody {
  readonly action: 'authenticate' | 'register'
  readonly options: CeremonyOptions & Record<string, unknown>
  readonly error?: string
}

export interface PasskeySite extends ReturnType<typeof recordingAdapter> {
  readonly world: World
}

/** A site with passkeys and nothing else. */
export function passkeySite(
  config: Partial<AuthConfig> = {},
  options: WorldOptions = {},
): PasskeySite {
  const recording = recordingAdapter()
  const world = createWorld(
    {
      providers: [Passkey()],
      adapter: recording.adapter,
      ...config,
    },
    options,
  )
  return { ...recording, world }
}

export async function optionsOf(
  world: World,
  params: Record<string, string> = {},
  path: string = OPTIONS,
): Promise<OptionsBody> {
  const query = new URLSearchParams(params).toString()
  return (await (await world.get(query ? `${path}?${query}` : path)).json()) as OptionsBody
}

/** Posts what the authenticator answered, as the sign-in page does. */
export function send(
  world: World,
  action: string,
  data: unknown,
  more: Record<string, string> = {},
  path: string = CALLBACK,
): Promise<Response> {
  return world.postWithoutCsrf(path, { action, data: JSON.stringify(data), ...more })
}

/** Makes a passkey: for a new user, or for who is signed in. */
export async function register(
  world: World,
  authenticator: SoftAuthenticator,
  email?: string,
  mutation?: Mutation & { algorithm?: Algorithm },
): Promise<Response> {
  const params = email === undefined ? {} : { email }
  const { options } = await optionsOf(world, { action: 'register', ...params })
  return send(world, 'register', authenticator.create(options, mutation))
}

/** Signs in with a passkey. */
export async function authenticate(
  world: World,
  authenticator: SoftAuthenticator,
  mutation?: Mutation,
  credential?: Credential,
): Promise<Response> {
  const { options } = await optionsOf(world, { action: 'authenticate' })
  return send(world, 'authenticate', authenticator.get(options, mutation, credential))
}

export async function signOut(world: World): Promise<void> {
  await world.post('/auth/signout')
}

export function location(response: Response): string | null {
  return response.headers.get('location')
}

export function errorPage(error: string): string {
  return `${ORIGIN}/auth/error?error=${error}`
}

/** Adds a key that is only a second factor, and does not verify its user, to who is signed in. */
export async function addSecurityKey(
  site: {
    readonly world: World
    json(path: string, fields?: object, world?: World): Promise<Response>
  },
  authenticator: SoftAuthenticator,
  browser: World = site.world,
  attachment?: Mutation['attachment'],
): Promise<Response> {
  const asked = await site.json('account/passkey-options', { second: true }, browser)
  const options = (await asked.json()) as CeremonyOptions
  const mutation = { userVerified: false, backupEligible: false, attachment }
  const data = JSON.stringify(authenticator.create(options, mutation))
  return site.json('account/add-passkey', { data }, browser)
}
