import * as v from 'valibot'
import { type Answer, type Call, type Host, Problem, type Texts } from '../../../entries/plugin.ts'
import { type Markup, providerMark } from '../../../entries/plugin-pages.ts'
import { type ConnectionInfo, connectionInfos } from '../connections/connection-info.ts'
import { connectionsOf, type Own, PAGE } from '../own.ts'
import { connectionsPage, questionPage } from '../pages/connections.ts'
import type { ProviderTokensKey } from '../texts.ts'
import { providerField } from './fields.ts'
import { needFresh } from './fresh.ts'

/** The members are ids of providers. */
interface Shown {
  /** The provider that the page asks to disconnect. */
  readonly confirm?: string | undefined
  /** The provider that was connected or disconnected before the page was shown. */
  readonly connected?: string | undefined
  readonly disconnected?: string | undefined
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(providerField),
  connected: v.optional(providerField),
  disconnected: v.optional(providerField),
})

/** `GET account/connections`: the page; the list for a program. */
export async function page(call: Call<Shown>, own: Own): Promise<Answer> {
  const { request, input, csrfField } = call
  const { host } = own
  const { confirm } = input
  const connections = await connectionInfos(await (await connectionsOf(call, own)).known(), host)
  const parts = { texts: await host.site.text<ProviderTokensKey>(request), host, csrfField }
  if (confirm === undefined) {
    const notice = await noticeOf(input, connections, parts.texts, host)
    const marks = await marksOf(connections, host)
    return {
      page: connectionsPage(connections, notice, { ...parts, marks }),
      json: { connections },
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

/** Returns the notice about what was done, if it is still true: anybody can create a link with these parameters. */
async function noticeOf(
  { connected, disconnected }: Shown,
  connections: readonly ConnectionInfo[],
  { text }: Texts<ProviderTokensKey>,
  host: Host,
): Promise<string | undefined> {
  const found = connections.find(({ provider }) => provider === (connected ?? disconnected))
  if (connected !== undefined)
    return found && !found.ended
      ? text('providerTokens:connected', { provider: found.name })
      : undefined
  const client =
    found || disconnected === undefined ? undefined : await host.providers.client(disconnected)
  return client && text('providerTokens:disconnected', { provider: client.name })
}
