import * as v from 'valibot'
import { type Answer, type Call, type Host, Problem, type Texts } from '../../../entries/plugin.ts'
import { type Markup, providerMark } from '../../../entries/plugin-pages.ts'
import { type ConnectionInfo, connectionInfos } from '../connections/connection-info.ts'
import { connectionsOf, type Own, PAGE } from '../own.ts'
import { connectionsPage, questionPage } from '../pages/connections.ts'
import type { ProviderTokensKey } from '../texts.ts'
import { connecting } from './connecting.ts'
import { providerField } from './fields.ts'
import { needFresh } from './fresh.ts'

interface Shown {
  /** The id of the provider that the page asks to disconnect. */
  readonly confirm?: string | undefined
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(providerField),
})

/** `GET account/connections`: the page; the list for a program. */
export async function page(call: Call<Shown>, own: Own): Promise<Answer> {
  const { request, input, csrfField } = call
  const { host } = own
  const { confirm } = input
  const connections = await connectionInfos(await (await connectionsOf(call, own)).known(), host)
  const parts = { texts: await host.site.text<ProviderTokensKey>(request), host, csrfField }
  if (confirm === undefined) {
    const begun = await connecting(host).newest(request)
    const notice = noticeOf(call, begun?.provider, connections, parts.texts)
    const marks = await marksOf(connections, host)
    return {
      page: connectionsPage(connections, notice, { ...parts, marks }),
      json: { connections },
      cookies: begun && (await connecting(host).end(request)),
    }
  }
  const asked = connections.find(({ provider }) => provider === confirm)
  if (!asked) throw new Problem('not_found', 'there are no tokens of this provider')
  // Checked before the question, so that the user need not sign in after it.
  await needFresh(call, host, host.site.path(PAGE, { confirm }))
  return { page: questionPage(asked, parts) }
}

/** Returns the marks of the providers, by id. */
async function marksOf(
  connections: readonly ConnectionInfo[],
  host: Host,
): Promise<ReadonlyMap<string, Markup>> {
  const clients = await Promise.all(
    connections.map(({ provider }) => host.providers.client(provider)),
  )
  return new Map(clients.flatMap((client) => (client ? [[client.id, providerMark(client)]] : [])))
}

/** Returns what was done before the page was shown. @param begun the provider that the browser was sent to */
function noticeOf(
  { notice }: Pick<Call<unknown>, 'notice'>,
  begun: string | undefined,
  connections: readonly ConnectionInfo[],
  { text }: Texts<ProviderTokensKey>,
): string | undefined {
  if (notice?.id === 'disconnected')
    return text('providerTokens:disconnected', { provider: notice.params?.[0] ?? '' })
  // The provider may have refused.
  const found = connections.find(({ provider, ended }) => provider === begun && !ended)
  return found && text('providerTokens:connected', { provider: found.name })
}
