/** What is changed, and the quick tests that prove it; both relative to the library. */
export interface Part {
  readonly name: string
  /** A file, or a folder with a slash behind it. */
  readonly source: string
  /** Beginnings of paths. */
  readonly tests: readonly string[]
}

export const LIBRARY = 'packages/latchkey/'

export const parts: readonly Part[] = [
  {
    name: 'sealing',
    source: 'src/protocols/sealing/',
    tests: [
      'src/protocols/sealing/',
      'src/verifier/jwt.',
      'tests/peers/next-auth-4.',
      'tests/http/sessions.',
    ],
  },
  {
    name: 'safe-url',
    source: 'src/http/safe-url.ts',
    tests: ['src/http/safe-url.', 'tests/http/actions.', 'tests/http/credentials.'],
  },
  {
    name: 'sign-in',
    source: 'src/sign-in/',
    tests: [
      'src/sign-in/',
      'tests/http/credentials.',
      'tests/http/email.',
      'tests/http/oauth.',
      'tests/http/webauthn.',
      'tests/http/actions.',
      'tests/http/pages.',
      'tests/attacks/accounts.',
      'tests/attacks/claimed-addresses.',
      'tests/attacks/passkeys.',
      'tests/attacks/provider-answers.',
      'tests/attacks/stores.',
      'tests/attacks/transactions.',
      'tests/attacks/web.',
    ],
  },
  {
    name: 'flows/email',
    source: 'src/flows/email/',
    tests: [
      'src/flows/email/',
      'tests/http/email.',
      'tests/attacks/links.',
      'tests/attacks/one-time-values.',
    ],
  },
  {
    name: 'flows/credentials',
    source: 'src/flows/credentials/',
    tests: ['tests/http/credentials.', 'tests/http/actions.'],
  },
  {
    name: 'flows/webauthn',
    source: 'src/flows/webauthn/',
    tests: ['tests/http/webauthn.', 'tests/attacks/passkeys.'],
  },
  {
    name: 'flows/oauth',
    source: 'src/flows/oauth/',
    tests: [
      'src/protocols/oauth/',
      'tests/conformance/',
      'tests/http/oauth',
      'tests/attacks/transactions.',
      'tests/attacks/redirect-proxy.',
      'tests/attacks/provider-answers.',
      'tests/attacks/accounts.',
      'tests/attacks/claimed-addresses.',
      'tests/http/provider-token.',
      'tests/peers/coming-over.',
      'tests/contracts/providers.',
    ],
  },
]
