import { type AuthRequest, formText, type ProviderClient } from '../../entries/plugin.ts'
import { signedOutMark } from './cookies.ts'
import { type Own, SIGNED_OUT } from './own.ts'

type Instead = {
  readonly to?: ReturnType<Own['host']['site']['path']>
  readonly query?: Record<string, string>
}

/**
 * Keeps a sign-out from being undone at once: a page that sends everybody to a provider, which signs them in without a
 * word, shows that they are signed out; and who clicks chooses whom to sign in.
 */
export async function afterSignOut(
  request: AuthRequest,
  provider: string,
  isLink: boolean,
  { host }: Own,
): Promise<Instead | undefined> {
  const mark = signedOutMark(request)
  const client = mark && (await host.providers.client(provider))
  if (!client) return undefined
  if (isLink) {
    const target = formText(request.form, 'callbackUrl')
    const callbackUrl = target === undefined ? {} : { callbackUrl: target }
    return { to: host.site.path(SIGNED_OUT, { provider, ...callbackUrl }) }
  }
  const prompt =
    mark === 'here' && !request.query.has('prompt') ? await promptOf(client) : undefined
  return prompt === undefined ? undefined : { query: { prompt } }
}

/** What has the provider ask whom to sign in, as far as it is known to take that. */
async function promptOf({ members, type, metadata }: ProviderClient): Promise<string | undefined> {
  const listed =
    members['prompts'] ??
    (type === 'oidc' ? (await metadata().catch(() => undefined))?.['prompt_values_supported'] : [])
  if (!Array.isArray(listed)) return undefined
  return ['select_account', 'login'].find((value) => listed.includes(value))
}
