import {
  type Cookie,
  clearCookie,
  definedOnly,
  jwtPart,
  loadOnce,
  type Proof,
  type SessionFacts,
} from '../../entries/plugin.ts'
import {
  type AtProvider,
  atProvider,
  type Begun,
  begunRecords,
  copyBegun,
  forgetBegun,
  keptUntil,
  storeBegun,
  writeIdToken,
} from './begun.ts'
import { signedOutCookie } from './cookies.ts'
import type { Own } from './own.ts'

/** The hooks for sessions that begin, are extended, or get another id. */
export interface Hooks {
  begins(session: SessionFacts, proof: Proof): Promise<void>
  hasBegun(session: SessionFacts, proof: Proof): Promise<readonly Cookie[]>
  goesOn(session: SessionFacts, until: number): Promise<void>
  isRenewed(from: SessionFacts, to: SessionFacts): Promise<void>
  isOver(session: SessionFacts): Promise<void>
}

/** Plain OAuth responses may contain an ID token, but it is not verified. */
function idTokenOf({ type, id_token: token }: Proof['account']): string | undefined {
  return type === 'oidc' ? token : undefined
}

export function createHooks({ host, settings }: Own): Hooks {
  const { hasRecords } = host
  const begun = begunRecords(host)
  const { backchannel, frontchannel } = settings
  /** Whether logout tokens of this provider are accepted. */
  const isHeard = (provider: string | undefined): boolean =>
    provider !== undefined &&
    ((backchannel !== undefined && (backchannel.providers?.includes(provider) ?? true)) ||
      frontchannel.includes(provider))
  const whomOf = async (account: Proof['account']): Promise<AtProvider | undefined> => {
    const { clientId = '' } = (await host.providers.client(account.provider)) ?? {}
    return atProvider(jwtPart(idTokenOf(account), 1), clientId)
  }
  const opSessions = loadOnce(async () =>
    (await import('./records/op-sessions.ts')).createOpSessions(host),
  )
  return {
    async begins(session, { account }) {
      if (!hasRecords) return
      const { provider } = account
      const [token, at] = [idTokenOf(account), await whomOf(account)]
      await storeBegun(session, definedOnly({ provider, at, token }) as Begun, host)
      if (at && isHeard(provider)) await (await opSessions()).add(session, at)
    },

    async hasBegun(session, proof) {
      const { request, account } = proof
      if (isHeard(account.provider)) {
        const at = await whomOf(account)
        const iat = Number(jwtPart(account.id_token, 1)?.['iat'])
        if (at) await (await opSessions()).refuseEnded(at, iat)
      }
      const mark = signedOutCookie(request)
      return [
        ...(request.cookies.get(mark.name) === undefined ? [] : [clearCookie(mark)]),
        ...(hasRecords ? [] : await writeIdToken(proof, session, host)),
      ]
    },

    async goesOn(session, until) {
      if (!hasRecords) return
      const record = await begun.get(await session.sid())
      if (!record) return
      await begun.replace(record, { expires: keptUntil(until) })
      const { provider, at } = record.data
      if (at && isHeard(provider)) await (await opSessions()).keep(at, until)
    },

    async isRenewed(from, to) {
      if (!hasRecords) return
      const { at, provider } = (await copyBegun(from, to, host)) ?? {}
      if (at && isHeard(provider)) await (await opSessions()).add(to, at)
    },

    isOver: async (session) => forgetBegun(await session.sid(), host),
  }
}
