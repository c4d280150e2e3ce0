// Compiled with the whole repository and never run: each `@ts-expect-error` must be one.
import { Auth, CredentialsSignin, type ResponseInternal, raw } from '../../src/entries/index.ts'
import type { FortyTwoProfile } from '../../src/providers/42-school.ts'
import Credentials from '../../src/providers/credentials.ts'
import { oidc } from '../../src/providers/define.ts'
import GitHub, { type GitHubProfile } from '../../src/providers/github.ts'
import type { MicrosoftEntraIDProfile } from '../../src/providers/microsoft-entra-id.ts'
import Nodemailer from '../../src/providers/nodemailer.ts'
import type { VkProfile } from '../../src/providers/vk.ts'
import { decode, encode, getToken, type JWT } from '../../src/verifier/jwt.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

function is<_Holds extends true>(): void {}

/** The profile has the provider's own type. */
export const typed = GitHub({
  profile({ id, login, email }) {
    is<Equal<typeof id, number>>()
    is<Equal<typeof email, string | null>>()
    return { id: String(id), name: login }
  },
})

/** So have members that the default user is not made of. */
export function members(): void {
  is<Equal<GitHubProfile['company'], string | null>>()
  is<Equal<GitHubProfile['two_factor_authentication'], boolean | undefined>>()
  is<Equal<MicrosoftEntraIDProfile['iat'], number>>()
  is<Equal<MicrosoftEntraIDProfile['groups'], string[] | undefined>>()
  is<Equal<FortyTwoProfile['cursus_users'][0]['user']['location'], string | null>>()
  is<Equal<VkProfile['first_name_gen'], string | undefined>>()
  // What a service adds is there without a type.
  is<Equal<GitHubProfile['something_new'], unknown>>()
}

export const described = oidc<{ sub: string; tenant: number }>({
  id: 'acme',
  name: 'Acme',
  issuer: 'https://acme.example',
  profile: ({ sub, tenant }) => ({ id: sub, name: `of ${tenant.toFixed()}` }),
})

// @ts-expect-error: credentials need somebody who checks them
export const unchecked = Credentials({ credentials: {} })

export const checked = Credentials({
  authorize: async (credentials, request) => {
    is<Equal<typeof credentials, Record<string, unknown>>>()
    is<Equal<typeof request, Request>>()
    // @ts-expect-error: a field may be anything, so its type has to be checked
    const name: string = credentials['username']
    return { id: name }
  },
})

// @ts-expect-error: mail needs a sender
export const senderless = Nodemailer({ server: 'smtp://localhost' })

/** A code of one's own. */
export class Locked extends CredentialsSignin {
  override code = 'locked'
}

export async function tokens(req: Request): Promise<void> {
  const opened = await decode({ token: 'x', salt: '', secret: 's' })
  is<Equal<typeof opened, JWT | null>>()
  const token = await encode<{ tenant: number }>({ token: { tenant: 1 }, salt: '', secret: 's' })
  is<Equal<typeof token, string>>()
  const open = await getToken({ req, secret: ['a', 'b'] })
  is<Equal<typeof open, JWT | null>>()
  const asItIs = await getToken({ req, raw: true })
  is<Equal<typeof asItIs, string | null>>()
}

export async function answers(request: Request): Promise<void> {
  const config = { providers: [], secret: 's', trustHost: true }
  const answer = await Auth(request, config)
  is<Equal<typeof answer, Response>>()
  const internal = await Auth(request, { ...config, raw })
  is<Equal<typeof internal, Response | ResponseInternal>>()
}
