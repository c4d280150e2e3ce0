/** What a configuration is made of, with the values of each factor; the first one is the default. */
export const factors = {
  strategy: ['jwt', 'database'],
  /** "Prisma" throws for what is gone, "pg" has numbers as ids; both keep the records of plugins in another store. */
  adapter: ['memory', 'none', 'sqlite', 'Prisma', 'pg', 'no account list', 'no rename', 'split'],
  maxAge: ['30 days', '5 days'],
  updateAge: ['default', '0'],
  secret: ['one', 'rotated'],
  stateCookie: ['off', 'on'],
  sessionToken: ['default', 'own'],
  sessions: ['off', 'on'],
  revocations: ['on', 'off'],
  remember: ['always', 'never', 'ask, ticked', 'ask, unticked'],
  absoluteMaxAge: ['90 days', '20 days', 'none'],
  limit: ['none', 'evict', 'refuse'],
  touch: ['600', '0', '1'],
  exposeId: ['off', 'on'],
  bind: ['nothing', 'browser'],
  providerTokens: ['off', 'cookie', 'records'],
  columns: ['clear', 'keep'],
  adoptFromSession: ['off', 'on'],
  inSession: ['off', 'on'],
  limits: ['off', 'process', 'adapter'],
  tokens: ['off', 'jwt', 'jwt, derived keys', 'apiKeys', 'native', 'device'],
  federatedLogout: ['off', 'ask', 'always', 'backchannel'],
  authJsRollback: ['off', 'on'],
  gate: ['off', 'on'],
  edge: ['off', 'between'],
  acceptSessionsFrom: ['nobody', 'next-auth@4'],
  jwt: ['none', 'same token', 'new token', 'without sub', 'claim'],
  session: ['none', 'spread', 'named'],
  basePath: ['/auth', '/api/login'],
  trailingSlash: ['off', 'on'],
  cookies: ['default', 'domain', 'own name'],
  scheme: ['https', 'http', 'https, plain names'],
  redirectProxyUrl: ['none', 'itself', 'another'],
  csrf: ['checked', 'skipped'],
  linking: ['off', 'by address'],
  processes: ['one', 'two'],
} as const

export type Factor = keyof typeof factors
export type Configuration = { readonly [Name in Factor]: (typeof factors)[Name][number] }

export const names = Object.keys(factors) as Factor[]

export const defaults = Object.fromEntries(
  names.map((name) => [name, factors[name][0]]),
) as Configuration

/** Factors of which three together matter: who keeps what, and who extends it. */
export const groups: readonly (readonly Factor[])[] = [
  ['strategy', 'adapter', 'sessions', 'providerTokens', 'processes'],
  [
    'strategy',
    'sessions',
    'revocations',
    'remember',
    'absoluteMaxAge',
    'providerTokens',
    'edge',
    'jwt',
  ],
]

/** A value that needs one of some values of another factor. */
export interface Constraint {
  readonly factor: Factor
  readonly values: readonly string[]
  readonly needs: Factor
  readonly among: readonly string[]
  /** Whether the start refuses it otherwise, or it has no effect. */
  readonly otherwise: 'refused' | 'no effect'
}

type Values = Partial<{ readonly [Name in Factor]: readonly Configuration[Name][] }>

/** Each of the values needs each of the others. */
function need(
  values: Values,
  needed: Values,
  otherwise: Constraint['otherwise'] = 'no effect',
): Constraint[] {
  return (Object.keys(values) as Factor[]).flatMap((factor) =>
    (Object.keys(needed) as Factor[]).map((needs) => ({
      factor,
      values: values[factor] ?? [],
      needs,
      among: needed[needs] ?? [],
      otherwise,
    })),
  )
}

const WITH_COUNTERS = ['memory', 'sqlite', 'no account list', 'no rename', 'split'] as const
const STORES = [...WITH_COUNTERS, 'Prisma', 'pg'] as const

export const constraints: readonly Constraint[] = [
  ...need(
    { strategy: ['database'], sessions: ['on'], gate: ['on'] },
    { adapter: STORES },
    'refused',
  ),
  ...need({ providerTokens: ['records'] }, { adapter: STORES }, 'refused'),
  ...need({ tokens: ['jwt'] }, { adapter: STORES }, 'refused'),
  ...need({ limits: ['adapter'] }, { adapter: WITH_COUNTERS }, 'refused'),
  ...need(
    { tokens: ['apiKeys', 'native', 'device'] },
    { sessions: ['on'], adapter: WITH_COUNTERS },
    'refused',
  ),
  ...need({ federatedLogout: ['backchannel'] }, { sessions: ['on'] }, 'refused'),
  ...need({ edge: ['between'] }, { strategy: ['jwt'] }, 'refused'),
  ...need({ sessionToken: ['own'] }, { strategy: ['database'] }),
  ...need(
    {
      jwt: ['same token', 'new token', 'without sub', 'claim'],
      acceptSessionsFrom: ['next-auth@4'],
      adoptFromSession: ['on'],
    },
    { strategy: ['jwt'] },
  ),
  ...need(
    {
      revocations: ['off'],
      remember: ['never', 'ask, ticked', 'ask, unticked'],
      absoluteMaxAge: ['20 days', 'none'],
      limit: ['evict', 'refuse'],
      touch: ['0', '1'],
      exposeId: ['on'],
      bind: ['browser'],
    },
    { sessions: ['on'] },
  ),
  ...need(
    { adoptFromSession: ['on'], inSession: ['on'] },
    { providerTokens: ['cookie', 'records'] },
  ),
  // In records, which would be refused; in a cookie, no accounts are listed.
  ...need(
    { adoptFromSession: ['on'] },
    { adapter: ['memory', 'none', 'sqlite', 'no rename', 'split'] },
  ),
  ...need({ columns: ['keep'] }, { providerTokens: ['records'] }),
]

/** Whether two values can be in one configuration, as far as they concern each other. */
export function agree(one: string, a: string, other: string, b: string): boolean {
  return constraints.every(
    ({ factor, values, needs, among }) =>
      !(factor === one && needs === other && values.includes(a) && !among.includes(b)) &&
      !(factor === other && needs === one && values.includes(b) && !among.includes(a)),
  )
}
