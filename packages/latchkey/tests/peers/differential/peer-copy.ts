import { registerHooks } from 'node:module'
import type * as PeerCore from '@auth/core'
import type * as PeerErrors from '@auth/core/errors'

/** What of the peer is compared. */
export interface Peer {
  readonly core: typeof PeerCore
  readonly errors: typeof PeerErrors
  readonly Passkey: () => unknown
}

/** One copy for each combination of provider types that a configuration may have. */
const copies = new Map<string, Promise<Peer>>()

/**
 * A copy of the peer with module state of its own: the peer remembers for good that some
 * configuration had a mail provider (D-02), and judges every later one by that.
 */
export function copyOfPeer(purpose: string): Promise<Peer> {
  const name = purpose.replaceAll(/\W/g, '-')
  let copy = copies.get(name)
  if (!copy) copies.set(name, (copy = load(name)))
  return copy
}

async function load(name: string): Promise<Peer> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@simplewebauthn/server' && context.parentURL?.endsWith(`?copy=${name}`)) {
        return next(new URL('simplewebauthn-9.ts', import.meta.url).href, context)
      }
      const found = next(specifier, context)
      const isInside = context.parentURL?.endsWith(`?copy=${name}`) && found.url.includes(PACKAGE)
      return isInside && !found.url.includes('?')
        ? { ...found, url: `${found.url}?copy=${name}` }
        : found
    },
  })
  try {
    const [core, errors, passkey] = await Promise.all([
      import(/* @vite-ignore */ `${import.meta.resolve('@auth/core')}?copy=${name}`),
      import(/* @vite-ignore */ `${import.meta.resolve('@auth/core/errors')}?copy=${name}`),
      import(
        /* @vite-ignore */ `${import.meta.resolve('@auth/core/providers/passkey')}?copy=${name}`
      ),
    ])
    return { core, errors, Passkey: passkey.default as Peer['Passkey'] }
  } finally {
    hooks.deregister()
  }
}

const PACKAGE = '/node_modules/@auth/core/'
