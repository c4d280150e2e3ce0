import type { Difference } from './compare.ts'

/** A departure that shows in every scenario that has an occasion for it: in which field, and how. */
interface Standing {
  readonly id: string
  /** Without the number of the step. */
  readonly field: RegExp
  /** What the values are as JSON; anything, if it is left out. */
  readonly ours?: RegExp
  readonly theirs?: RegExp
}

const ABSENT = /^"\(absent\)"$/

export const standing: readonly Standing[] = [
  // The application knows where a sign-in leads.
  { id: 'D-291', field: /^callback signIn callbackUrl$/, theirs: ABSENT },
  // Nothing is cached, and pages say in which encoding they are.
  {
    id: 'D-45',
    field: /^cache$/,
    ours: /^"private, no-cache, no-store 0 no-cache"$/,
    theirs: /^" {2}"$/,
  },
  {
    id: 'D-45',
    field: /^raw headers( cache-control| expires| pragma)?$/,
    ours: /no-cache|"0"/,
    theirs: ABSENT,
  },
  { id: 'D-45', field: /^type$/, ours: /^"text\/html; charset=utf-8"$/, theirs: /^"text\/html"$/ },
  // A visitor's accident is told apart from a failure.
  {
    id: 'D-251',
    field: /^(location|body url) query (code|provider)$/,
    ours: /^"(expired|access_denied|acme)"$/,
    theirs: ABSENT,
  },
  // A sign-in draws a new CSRF token, which the next forms carry.
  {
    id: 'D-67',
    field: /^(raw cookies|cookie) (__Host-)?authjs\.csrf-token$/,
    ours: /<a CSRF token and its hash>/,
    theirs: ABSENT,
  },
  {
    id: 'D-67',
    field: /^callback authorize 0 csrfToken$/,
    ours: /<32 bytes in hex>/,
    theirs: /<the CSRF token>/,
  },
  // Stored sessions are found by a hash of their token, and looked for before they are removed.
  {
    id: 'D-66',
    field:
      /^(adapter (getSessionAndUser|updateSession|deleteSession|createSession)|event signOut session|callback session session)( \(\d\))?( sessionToken)?$/,
    ours: /^"<hash of a session token>"$/,
    theirs: /^"(?!\(absent)/,
  },
  {
    id: 'D-66',
    field: /^adapter getSessionAndUser$/,
    ours: /^"<hash of a session token>"$/,
    theirs: ABSENT,
  },
  {
    id: 'D-82',
    field: /session-token value$/,
    ours: /^"<32 bytes in base64url>"$/,
    theirs: /^"<uuid>"$/,
  },
  // The browser that asked for a mail is known again.
  { id: 'D-73', field: /^cookie (__Host-)?latchkey\.email-request$/, theirs: ABSENT },
  { id: 'D-80', field: /^callback sendVerificationRequest 0 theme \w+$/, ours: ABSENT },
  // A mail service is asked with limits.
  {
    id: 'D-130',
    field: /^callback sendVerificationRequest 0 fetch$/,
    ours: /^"a function"$/,
    theirs: ABSENT,
  },
  // A mail is in the language of the visitor.
  { id: 'D-130', field: /^callback sendVerificationRequest 0 texts$/, theirs: ABSENT },
  // The body that `authorize` may read is JSON, and says so.
  {
    id: 'D-52',
    field: /^callback (authorize 1|sendVerificationRequest 0 request) type$/,
    ours: /^"application\/json"$/,
    theirs: /^"application\//,
  },
  // Each sign-in has a cookie of its own, found by the state of the answer.
  { id: 'D-83', field: /cookies? (__Host-)?latchkey\.sign-in\.<digest>$/, theirs: ABSENT },
  {
    id: 'D-83',
    field: /cookies? \S+ value attempt$/,
    ours: /^true$/,
    theirs: ABSENT,
  },
  {
    id: 'D-83',
    field: /^(location|body url|raw redirect) query state$/,
    ours: /^"<32 bytes in base64url>"$/,
    theirs: ABSENT,
  },
  // Passkeys are stable.
  {
    id: 'D-293',
    field: /^log warning experimental-webauthn$/,
    ours: ABSENT,
    theirs: /^"called"$/,
  },
  {
    id: 'D-321',
    field: /^log warning callback-url-unusable$/,
    ours: /^"called"$/,
    theirs: ABSENT,
  },
  {
    id: 'D-24',
    field: /^log warning redirect-proxy-open$/,
    ours: /^"called"$/,
    theirs: ABSENT,
  },
  // Metadata are asked for once, keys as well.
  { id: 'D-12', field: /^provider GET \S+openid-configuration$/, ours: ABSENT },
  { id: 'D-13', field: /^provider GET \S+\/jwks$/, theirs: ABSENT },
  { id: 'D-79', field: /^event signIn isNewUser$/, ours: /^false$/, theirs: ABSENT },
  { id: 'D-85', field: /^(event signIn|callback jwt) account userId$/, theirs: ABSENT },
  {
    id: 'D-166',
    field: /^log warning unknown-provider$/,
    ours: /^"called"$/,
    theirs: ABSENT,
  },
  {
    id: 'D-78',
    field: /^log (InvalidProvider|UnreadableBody)$/,
    ours: /^"called"$/,
    theirs: ABSENT,
  },
  { id: 'D-78', field: /^log (Error|TypeError|SyntaxError)$/, ours: ABSENT, theirs: /^"called"$/ },
]

/** The standing departure that a difference shows; `undefined` if the scenario has to list it. */
export function standingOf({ field, ours, theirs }: Difference): Standing | undefined {
  const name = field.replace(/^\d+ /, '')
  return standing.find(
    (row) =>
      row.field.test(name) &&
      (row.ours?.test(JSON.stringify(ours)) ?? true) &&
      (row.theirs?.test(JSON.stringify(theirs)) ?? true),
  )
}
