import * as v from 'valibot'
import { type Answer, type Call, Problem, type SiteRequest } from '../../../entries/plugin.ts'
import { count } from '../limited.ts'
import type { Own } from '../own.ts'

interface Input {
  readonly audience?: string | undefined
  readonly scope?: string | undefined
}

export const input: v.GenericSchema<Input> = v.strictObject({
  audience: v.optional(v.pipe(v.string(), v.maxLength(500))),
  scope: v.optional(v.pipe(v.string(), v.maxLength(2000))),
})

/** `GET token` and `POST token` */
export async function token(
  { request, current, input: { audience, scope } }: Call<Input>,
  { host, jwt }: Own,
): Promise<Answer> {
  if (request.method === 'GET') needOwnScript(request)
  if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
  const sid = await current.facts.sid()
  await count(host, 'token.issue', { request, sid, userId: current.facts.userId })
  const { issuer } = await jwt()
  const scopes = scope === undefined ? undefined : scope.split(' ').filter((each) => each !== '')
  const { access_token, ...issued } = await issuer.issue(request, current, { audience, scopes })
  return { json: { access_token, token_type: 'Bearer', ...issued } }
}

/**
 * Accepts GET only from a script of the site, since the response is a credential: not from another origin of the same
 * site, and not from elements that show or run the response.
 *
 * @throws {Problem} `csrf`
 */
function needOwnScript({ original: { headers }, origin }: SiteRequest): void {
  const site = headers.get('sec-fetch-site')
  const sender = headers.get('origin')
  const purpose = headers.get('sec-fetch-dest')
  const isOwn =
    (site === null || site === 'same-origin' || site === 'none') &&
    (sender === null || sender === origin) &&
    (purpose === null || purpose === 'empty')
  if (!isOwn) throw new Problem('csrf', 'only scripts of the same origin may get a token with GET')
}
