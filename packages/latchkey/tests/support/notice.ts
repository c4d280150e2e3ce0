import { keepNotice } from '../../src/account-kit/notice-cookie.ts'
import type { SiteRequest } from '../../src/http/request.ts'
import { trusted } from '../../src/http/safe-url.ts'
import type { World } from '../../src/testing/world.ts'

/** Gives a browser the notice of a page, as the response that redirects to it does. */
export async function giveNotice(
  world: World,
  page: string,
  id: string,
  ...params: string[]
): Promise<void> {
  const request = { origin: world.origin, secure: true } as SiteRequest
  const plan = world.core.plan(world.config)
  const { name, value } = await keepNotice({ id, params }, trusted(page), request, plan)
  world.jar.set(name, value)
}
