import { type Call, Problem, toError } from '../../../entries/plugin.ts'
import type { Caller } from '../lister.ts'
import type { Own } from '../own.ts'
import type { AdministratorParams } from '../settings.ts'
import { needCaller } from './caller.ts'

/** The caller, and the user whose sessions are meant. */
export interface Asked {
  readonly caller: Caller
  readonly userId: string
  /** Whether the sessions belong to another user. */
  readonly isOfOther: boolean
}

/**
 * Returns the caller and the user whom the input names.
 *
 * @throws {Problem} `not_found` without the option `administrator`, `forbidden` if the caller is not one.
 */
export async function askedFor(
  call: Call<{ userId?: string | undefined }>,
  action: AdministratorParams['action'],
  own: Own,
): Promise<Asked> {
  const { request, input } = call
  const caller = await needCaller(call, own)
  const { userId = caller.userId } = input
  if (userId === caller.userId) return { caller, userId, isOfOther: false }
  const { administrator } = own.settings
  if (!administrator) throw new Problem('not_found', 'the option `administrator` is not set')
  const mayAsk = async (): Promise<boolean> => {
    const session = await own.host.sessions.read(request)
    if (!session) return false
    const asked = { request: request.original, session, action, userId }
    const answer: unknown = await administrator(asked)
    return answer === true
  }
  const isAllowed = await mayAsk().catch((error: unknown) => {
    own.host.logger.error(toError(error))
    return false
  })
  if (!isAllowed)
    throw new Problem('forbidden', 'the option `administrator` did not allow the request')
  return { caller, userId, isOfOther: true }
}
