import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  type DPoPHandle,
  generateKeyPair,
  modifyAssertion,
  protectedResourceRequest,
} from 'oauth4webapi'
import { OAuthCallbackError } from '../../base/errors.ts'
import { loadOnce, oncePer } from '../../base/once.ts'
import type { ProofKey } from '../../model/proof-key.ts'
import type { Plan } from '../../plan/plan.ts'
import type { BoundToken } from '../../plugin/provider-client.ts'
import { noncesOf, wantsNonce } from '../../protocols/oauth/dpop-nonces.ts'
import { clockedClientOf, type OAuthFlow, type Proofs } from './oauth-flow.ts'

/** Creates the key of a sign-in. */
export async function createProofKey({ config: { dpop } }: OAuthFlow): Promise<ProofKey> {
  const { alg = 'ES256' } = typeof dpop === 'object' ? dpop : {}
  const name = alg === 'EdDSA' ? 'Ed25519' : alg
  const { privateKey } = await generateKeyPair(name, { extractable: true })
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { kty, crv, x, d, ...(y !== undefined && { y }), alg } as ProofKey
}

/** Returns the `dpop_jkt` of an authorization request (RFC 9449 section 10). */
export async function thumbprintOf(flow: OAuthFlow, key: ProofKey): Promise<string> {
  return (await handleOf(flow, key)).calculateThumbprint()
}

/** Returns the same flow with proofs of a key in its requests. */
export async function withProofs(flow: OAuthFlow, key: ProofKey): Promise<OAuthFlow> {
  const handle = await handleOf(flow, key)
  const send = heeding(flow, flow.send)
  const proofs: Proofs = {
    handle,
    async withNonce(ask) {
      const answer = await ask()
      return (await wantsNonce(answer)) ? ask() : answer
    },
    check({ token_type: type }) {
      if (type === 'dpop') return
      throw new OAuthCallbackError(
        `provider ${flow.id}: the token has the type ${JSON.stringify(type)}, but \`dpop\` needs a token that is bound to a key; turn on DPoP for this client at the provider, or set \`dpop: false\``,
        { provider: flow.id },
      )
    },
    using: (given, accessToken) => ({
      ...given,
      send: bound(send, accessToken, (method, url) => proofOf(handle, method, url, accessToken)),
    }),
  }
  return { ...flow, send, proofs }
}

/** Returns a `fetch` that sends an access token with proofs of its key. */
export function boundToken(flow: OAuthFlow, key: ProofKey, accessToken: string): BoundToken {
  const handle = loadOnce(() => handleOf(flow, key))
  const proof: BoundToken['proof'] = async (method, url) =>
    proofOf(await handle(), method, new URL(url), accessToken)
  return {
    proof,
    fetch: (send) => bound(heeding(flow, send), accessToken, proof),
  }
}

/** Sends a request with a bound token in place of a bearer token, and repeats it if the server requires a nonce. */
function bound(
  send: typeof fetch,
  accessToken: string,
  proof: (method: string, url: URL) => Promise<string>,
): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const ask = async (): Promise<Response> => {
      const headers = new Headers(init.headers)
      if (headers.get('authorization') === `Bearer ${accessToken}`) {
        headers.set('authorization', `DPoP ${accessToken}`)
        headers.set('dpop', await proof(init.method ?? 'GET', url))
      }
      return send(url, { ...init, headers })
    }
    const answer = await ask()
    // A stream cannot be sent twice.
    if (init.body instanceof ReadableStream || !(await wantsNonce(answer))) return answer
    await answer.body?.cancel()
    return ask()
  }
}

/** Returns a proof as a string. The library creates proofs only for requests, so it gets a request that is not sent. */
async function proofOf(
  handle: DPoPHandle,
  method: string,
  url: URL,
  accessToken: string,
): Promise<string> {
  let proof = ''
  await protectedResourceRequest(accessToken, method, url, new Headers(), null, {
    DPoP: handle,
    [allowInsecureRequests]: true,
    [customFetch]: async (_url, { headers }) => {
      proof = headers['dpop'] ?? ''
      return new Response()
    },
  })
  return proof
}

/** Nonces that last from one request to the next. The library forgets its own with the handle. */
async function handleOf(flow: OAuthFlow, key: ProofKey): Promise<DPoPHandle> {
  const { ports } = flow.plan
  const nonces = noncesOf(ports.fetch)
  return DPoP(clockedClientOf(flow), await keyPairOf(key), {
    [modifyAssertion](header, payload) {
      header['alg'] = key['alg']
      const now = ports.now()
      const nonce = nonces.of(new URL(String(payload['htu'])).origin, now)
      Object.assign(payload, { nonce, iat: Math.floor(now / 1000) })
    },
  })
}

async function keyPairOf({ alg, ...privateKey }: ProofKey): Promise<CryptoKeyPair> {
  const { d: _, ...publicKey } = privateKey
  const algorithm = alg === 'EdDSA' ? { name: 'Ed25519' } : { name: 'ECDSA', namedCurve: 'P-256' }
  const { subtle } = crypto
  return {
    privateKey: await subtle.importKey('jwk', privateKey, algorithm, false, ['sign']),
    publicKey: await subtle.importKey('jwk', publicKey, algorithm, true, ['verify']),
  }
}

/** Stores the nonces of responses, and logs if the server's clock differs: the server would refuse the proofs. */
function heeding({ id, plan }: OAuthFlow, send: typeof fetch): typeof fetch {
  const { ports, logger } = plan
  const nonces = noncesOf(ports.fetch)
  return async (input, init) => {
    const answer = await send(input, init)
    const now = ports.now()
    const { origin } = new URL(input instanceof Request ? input.url : input)
    nonces.keep(origin, answer, now)
    const skew = Math.round((Date.parse(answer.headers.get('date') ?? '') - now) / 1000)
    const toldAt = skewsTold(plan)
    if (Math.abs(skew) > MOST_SKEW && now - (toldAt.get(id) ?? -Infinity) >= HOUR) {
      toldAt.set(id, now)
      const direction = skew > 0 ? 'ahead of' : 'behind'
      logger.warn(
        'clock-skew',
        `provider ${id}: the clock of ${origin} is ${Math.abs(skew)} seconds ${direction} ours; set the clock of this machine`,
      )
    }
    return answer
  }
}

/** Seconds. */
const MOST_SKEW = 5

/** Milliseconds. */
const HOUR = 60 * 60_000

/** When the clock of a provider was last logged, milliseconds since the epoch. */
const skewsTold = oncePer(
  (): Map<string, number> => new Map(),
  new WeakMap<Plan, Map<string, number>>(),
)
