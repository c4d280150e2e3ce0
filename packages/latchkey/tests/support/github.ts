/** What a simulated GitHub answers. */
export interface GitHubAnswers {
  user?: unknown
  emails?: unknown
  token?: unknown
  userStatus?: number
  emailsStatus?: number
  tokenStatus?: number
}

/** A request that it was sent. */
export interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly form: URLSearchParams
}

/** GitHub as far as a sign-in asks it: the token endpoint, the user and their addresses. */
export function createGitHub(answers: GitHubAnswers = {}): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const simulated: typeof fetch = async (input, init = {}) => {
    const { url, method, headers, body } = await describe(new Request(input, init))
    asked.push({ url, method, headers, form: new URLSearchParams(body) })
    const { pathname } = new URL(url)
    if (pathname.endsWith('/access_token')) {
      return Response.json(answers.token ?? TOKENS, { status: answers.tokenStatus ?? 200 })
    }
    if (pathname.endsWith('/user/emails')) {
      return Response.json(answers.emails ?? EMAILS, { status: answers.emailsStatus ?? 200 })
    }
    return Response.json(answers.user ?? ADA, { status: answers.userStatus ?? 200 })
  }
  return { fetch: simulated, asked }
}

async function describe(request: Request): Promise<Omit<Asked, 'form'> & { body: string }> {
  const { url, method, headers } = request
  return { url, method, headers, body: await request.text() }
}

export const TOKENS = {
  access_token: 'gho_ada',
  token_type: 'bearer',
  scope: 'read:user,user:email',
  expires_in: 28_800,
  refresh_token: 'ghr_ada',
  refresh_token_expires_in: 15_811_200,
}

export const ADA = {
  id: 7,
  login: 'ada',
  name: 'Ada Lovelace',
  email: 'Ada@Example.com',
  avatar_url: 'https://avatars.example/7',
}

const EMAILS = [
  { email: 'other@example.com', primary: false, verified: true },
  { email: 'primary@example.com', primary: true, verified: true },
]
