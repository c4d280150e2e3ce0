import { type Answer, type Call, definedOnly } from '../../../entries/plugin.ts'
import { beginApproved } from '../approval.ts'
import { formatUserCode, parseUserCode } from '../device/user-code.ts'
import { count } from '../limited.ts'
import type { Own } from '../own.ts'
import { oauthError, oauthInput, textOf, tokenAnswer } from './oauth.ts'

type Input = Readonly<Record<string, unknown>>

export const input: typeof oauthInput = oauthInput

/** `POST device/code`: a program begins a sign-in (RFC 8628 section 3.1). */
export async function code({ request, input }: Call<Input>, own: Own): Promise<Answer> {
  const { host } = own
  const { flow, settings } = await own.device()
  await count(host, 'device.code', { request })
  const client = textOf(input, 'client_id')
  if (client === undefined || !settings.clients.has(client)) return oauthError('invalid_client')
  const name = textOf(input, 'name', 40)
  const address = await host.site.clientAddress(request.original)
  const codes = await flow.begin({ client, ...definedOnly({ name, address }) })
  const page = `${request.base}/device`
  const complete = `${page}?user_code=${codes.user_code}`
  return { json: { ...codes, verification_uri: page, verification_uri_complete: complete } }
}

/** `POST device/token`: a program polls (RFC 8628 section 3.4). */
export async function token({ request, input }: Call<Input>, own: Own): Promise<Answer> {
  const { flow } = await own.device()
  await count(own.host, 'device.token', { request })
  if (input['grant_type'] !== GRANT) return oauthError('unsupported_grant_type')
  const device = textOf(input, 'device_code')
  const client = textOf(input, 'client_id')
  if (device === undefined || client === undefined) return oauthError('invalid_request')
  return tokenAnswer(() =>
    flow.poll(device, client, (approval, name) =>
      beginApproved(approval, { via: 'device', name }, request, own),
    ),
  )
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Returns a code as the field shows it; an empty text for an invalid one. */
export function shownCode(typed: string | undefined): string {
  const parsed = typed === undefined ? undefined : parseUserCode(typed)
  return parsed === undefined ? '' : formatUserCode(parsed)
}
