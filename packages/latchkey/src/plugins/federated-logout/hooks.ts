import { definedOnly } from '../../encoding/defined-only.ts'
import type { Cookie } from '../../http/cookies.ts'
import { clearCookie } from '../../http/cookies.ts'
import type { SessionFacts } from '../../session/facts.ts'
import type { Proof } from '../../session/strategy.ts'
import {
  atProvider,
  type Begun,
  copyBegun,
  forgetBegun,
  idTokenClaims,
  KIND,
  keptUntil,
  storeBegun,
  writeIdToken,
} from './begun.ts'
import { signedOutCookie } from './cookies.ts'
import type { Own } from './own.ts'

/** What the plugin does when sessions begin, go on and get another name. */
export interface Hooks {
  begins(session: SessionFacts, proof: Proof): Promise<void>
  hasBegun(session: SessionFacts, proof: Proof): Promise<readonly Cookie[]>
  goesOn(session: SessionFacts, until: number): Promise<void>
  isRenewed(from: SessionFacts, to: SessionFacts): Promise<void>
  isOver(session: SessionFacts): Promise<void>
}

export function createHooks({ host }: Own): Hooks {
  const { records, hasRecords } = host
  return {
    async begins(session, { account }) {
      if (!hasRecords) return
      const { provider, type, id_token } = account
      // What a plain OAuth provider sends as an ID token proves nothing.
      const token = type === 'oidc' ? id_token : undefined
      const { clientId = '' } = (await host.provider(provider)) ?? {}
      const at = atProvider(idTokenClaims(token), clientId)
      await storeBegun(session, definedOnly({ provider, at, token }) as Begun, host)
    },

    async hasBegun(session, proof) {
      const { request } = proof
      const mark = signedOutCookie(request)
      return [
        ...(request.cookies.get(mark.name) === undefined ? [] : [clearCookie(mark)]),
        ...(hasRecords ? [] : await writeIdToken(proof, session, host)),
      ]
    },

    async goesOn(session, until) {
      if (!hasRecords) return
      const record = await records.get(KIND, await session.sid())
      if (record) await records.replace(record, { expires: keptUntil(until) })
    },

    async isRenewed(from, to) {
      if (!hasRecords) return
      await copyBegun(from, to, host)
    },

    isOver: async (session) => forgetBegun(await session.sid(), host),
  }
}
