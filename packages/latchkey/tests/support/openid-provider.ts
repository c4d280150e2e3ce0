import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A real OpenID provider in its own process. */
export interface OpenIdProvider {
  readonly issuer: string
  /** Gives it new keys. */
  rotateKeys(): Promise<void>
  /** How often its token endpoint was asked for fresh tokens, and how often it refused. */
  renewals(): Promise<{ asked: number; refused: number }>
  close(): Promise<void>
}

/**
 * Starts one that sends visitors back to `redirectUri`.
 *
 * @param configuration replaces members of its usual one, as `oidc-provider` takes them, as far as they are JSON;
 *   `resources` lists the resources for which it has access tokens.
 */
export async function startOpenIdProvider(
  redirectUri: string,
  configuration: object = {},
): Promise<OpenIdProvider> {
  const script = new URL('./oidc-provider-process.mjs', import.meta.url)
  const args = [redirectUri, JSON.stringify(configuration)]
  const child = fork(script, args, { silent: true, execArgv: [] })
  const { issuer } = (await message(child)) as { issuer: string }
  return {
    issuer,
    async rotateKeys() {
      child.send('rotate')
      await message(child)
    },
    async renewals() {
      child.send('renewals')
      return (await message(child)) as { asked: number; refused: number }
    },
    async close() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const [value] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the OpenID provider did not start'))),
  ])
  return value as unknown
}

/**
 * Visits the provider as a browser would, until it sends the visitor back.
 *
 * @returns the address at the application, with what the provider says.
 */
export async function visitProvider(authorizationUrl: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(authorizationUrl)
  for (let step = 0; step < 20; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (!location)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.origin !== issuer) return url
  }
  throw new Error('the provider does not send the visitor back')
}
