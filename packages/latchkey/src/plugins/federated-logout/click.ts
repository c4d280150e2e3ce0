import { type AuthRequest, formText, type ProviderClient } from '../../entries/plugin.ts'
import { signedOutMark } from './cookies.ts'
import { type Own, SIGNED_OUT } from './own.ts'

type Instead = {
  readonly to?: ReturnType<Own['host']['site']['path']>
  readonly query?: Record<string, string>
}

/**
 * Prevents that a sign-out is undone at once. A page that redirects every visitor to a provider, which signs them in
 * without a question, shows instead that they are signed out. A visitor who clicks can choose an account.
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

/** Returns the `prompt` with which the provider asks for an account, if it is known to support one. */
async function promptOf({ members, type, metadata }: ProviderClient): Promise<string | undefined> {
  const listed =
    members['prompts'] ??
    (type === 'oidc' ? (await metadata().catch(() => undefined))?.['prompt_values_supported'] : [])
  if (!Array.isArray(listed)) return undefined
  return ['select_account', 'login'].find((value) => listed.includes(value))
}
