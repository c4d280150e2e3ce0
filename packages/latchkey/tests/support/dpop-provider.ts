import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'

/** What a proof said, after it was verified as a server does (RFC 9449 section 4.3). */
export interface Proof {
  readonly jkt: string
  readonly alg: string
  readonly htm: string
  readonly htu: string
  readonly iat: number
  readonly jti: string
  readonly nonce?: string
  readonly ath?: string
}

/** @param now milliseconds since the epoch. */
async function verifyProof(
  { method, url, headers }: Request,
  now: number,
  accessToken?: string,
): Promise<Proof> {
  const jwt = headers.get('dpop') ?? ''
  const { payload, protectedHeader } = await jwtVerify(jwt, EmbeddedJWK, {
    typ: 'dpop+jwt',
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    maxTokenAge: 60,
    currentDate: new Date(now),
  })
  const { jwk = {}, alg } = protectedHeader
  if ('d' in jwk) throw new Error('the proof has the private key')
  const { origin, pathname } = new URL(url)
  if (payload['htm'] !== method || payload['htu'] !== origin + pathname)
    throw new Error('the proof is for another request')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
  const ath = Buffer.from(digest).toString('base64url')
  if (accessToken !== undefined && payload['ath'] !== ath)
    throw new Error('the proof is for another token')
  return { ...(payload as unknown as Proof), alg, jkt: await calculateJwkThumbprint(jwk) }
}

/** A provider that binds its tokens to the key that the authorization request named, and its API. */
export function dpopProvider(now: () => number) {
  let given = 0
  const keys = new Map<string, string>()
  const seen = new Set<string>()
  const it = {
    /** What the authorization request named. */
    jkt: undefined as string | undefined,
    /** Proofs that were accepted, by path. */
    proofs: [] as (Proof & { path: string })[],
    /** Why a request was refused. */
    refused: [] as string[],
    /** The nonces that the token endpoint and the API want. */
    nonce: undefined as string | undefined,
    apiNonce: undefined as string | undefined,
    /** Does it bind tokens at all? */
    isBound: true,
    /** Members of the token response. */
    more: {} as Record<string, unknown>,
    /** Headers of every answer. */
    headers: {} as Record<string, string>,
    bodies: [] as string[],
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      const answer = await answerTo(request)
      for (const [name, value] of Object.entries(it.headers)) answer.headers.set(name, value)
      return answer
    }) as typeof fetch,
  }
  return it

  async function answerTo(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const body = await request.clone().text()
    it.bodies.push(body)
    const form = new URLSearchParams(body)
    if (pathname === '/revoke') return new Response(null)
    if (!it.isBound) {
      return pathname === '/token'
        ? tokensFor('', 'Bearer')
        : Response.json({ id: 'ada', email: 'ada@example.com' })
    }
    const isToken = pathname === '/token'
    const token = /^DPoP (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
    try {
      if (!isToken && token === undefined) throw new Error('no bound token')
      const proof = await verifyProof(request, now(), isToken ? undefined : token)
      if (seen.has(proof.jti)) throw new Error('the proof was used before')
      seen.add(proof.jti)
      const wanted = isToken ? it.nonce : it.apiNonce
      if (wanted !== undefined && proof.nonce !== wanted) return wantNonce(isToken, wanted)
      const shown = form.get('refresh_token') ?? form.get('subject_token') ?? ''
      const bound = isToken ? (keys.get(shown) ?? it.jkt) : keys.get(token ?? '')
      if (bound !== proof.jkt) throw new Error('another key')
      it.proofs.push({ ...proof, path: pathname })
      return isToken ? tokensFor(proof.jkt) : Response.json({ id: 'ada', email: 'ada@example.com' })
    } catch (error) {
      it.refused.push(String(error))
      const headers = { 'www-authenticate': 'DPoP error="invalid_token"' }
      return isToken
        ? Response.json({ error: 'invalid_dpop_proof' }, { status: 400 })
        : new Response(null, { status: 401, headers })
    }
  }

  function wantNonce(isToken: boolean, nonce: string): Response {
    it.refused.push('use_dpop_nonce')
    return isToken
      ? Response.json(
          { error: 'use_dpop_nonce' },
          { status: 400, headers: { 'dpop-nonce': nonce } },
        )
      : new Response(null, {
          status: 401,
          headers: {
            'dpop-nonce': nonce,
            'www-authenticate': 'DPoP error="use_dpop_nonce", algs="ES256"',
          },
        })
  }

  function tokensFor(jkt: string, token_type = 'DPoP'): Response {
    given++
    keys.set(`access-${given}`, jkt)
    keys.set(`refresh-${given}`, jkt)
    return Response.json({
      access_token: `access-${given}`,
      refresh_token: `refresh-${given}`,
      token_type,
      expires_in: 3600,
      scope: 'read',
      ...it.more,
    })
  }
}
