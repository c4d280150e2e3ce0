/**
 * What Latchkey must withstand, and the tests that prove it, found by the ids anywhere in their names. Keeps the
 * table in docs/explanation/security.md:
 *
 *     node tools/threats.ts          exit 1 when the table is not what the tests say
 *     node tools/threats.ts --write  writes it
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/explanation/security.md')
const [BEGIN, END] = ['<!-- threats -->', '<!-- end of threats -->']

/** By id: what must hold, and what of it is still open. */
const threats: Readonly<Record<string, readonly [holds: string, open?: string]>> = {
  'T-SESS-1': [
    'Session tokens have 256 random bits by default; a generator of yours that repeats a token stops the start.',
  ],
  'T-SESS-2': [
    'Each sign-in creates a new session and a new form token, and ends the previous session.',
  ],
  'T-SESS-3': [
    'A session ends when it is not used and, with the plugin `sessions`, at its absolute maximum age.',
  ],
  'T-SESS-4': ['A value from the store is not accepted as a credential from a browser.'],
  'T-SESS-5': [
    'Sign-out ends a stored session, and with the plugin `sessions` a sealed one, for every copy of its cookie; all sessions of a user can be ended at once.',
  ],
  'T-SESS-6': ['No process accepts an ended session for longer than the documented bound.'],
  'T-SESS-7': ['A session that has expired counts as absent everywhere.'],
  'T-SESS-8': ['A value sealed for one purpose is refused for every other purpose.'],
  'T-SESS-9': [
    'Reading a session sets no cookie for visitors without a session, and writes at most once in its period.',
  ],
  'T-SESS-10': ['With the plugin `sessions`, users see and end their sessions.'],
  'T-SESS-11': ['With the plugin `sessions`, the number of sessions of a user can be limited.'],
  'T-SESS-12': [
    'A session that is too large is refused before a proxy would refuse it; old chunks of a cookie are ignored.',
  ],
  'T-SESS-13': ['An update cannot change the user of a session.'],
  'T-WEB-1': ['Cookies are limited to https and to the site, and scripts cannot read them.'],
  'T-WEB-2': ['Another site cannot begin, finish or end a sign-in with a form or a request.'],
  'T-WEB-3': ['Pages load nothing from elsewhere, and cannot be framed.'],
  'T-WEB-4': ['Every value in a page, a mail or a log is encoded for its context.'],
  'T-WEB-5': ['GET and HEAD change nothing, except for the response of a provider.'],
  'T-WEB-6': ['Redirects do not resend a form.'],
  'T-WEB-7': ['No other origin can read a response.'],
  'T-WEB-8': ['Codes and tokens are not sent in the `Referer` header.'],
  'T-HTTP-3': ['The direct way of Node.js gives the same answers as `Request` and `Response`.'],
  'T-REDIR-1': ['One function checks every redirect target that comes from a request.'],
  'T-REDIR-2': ['An unusable target leads to the default page.'],
  'T-REDIR-3': [
    'A redirect proxy forwards only responses that it can authenticate, and only to deployments that it serves.',
  ],
  'T-HOST-1': ['The public address is configured, or one of a list; no header overrides it.'],
  'T-HOST-2': ['Links in mails and redirect URIs name no other host.'],
  'T-HOST-3': ['The first request sets nothing for later requests.'],
  'T-HOST-4': ['One path has one spelling.'],
  'T-HOST-5': [
    'Limits use the address of the client, only from configured proxies, and its network.',
  ],
  'T-OIDC-1': [
    'Each sign-in belongs to one browser and is used once; several may be open at the same time.',
  ],
  'T-OIDC-2': ['In every configuration the response of a provider is bound to its request.'],
  'T-OIDC-3': [
    'If a server ignores PKCE, `state` and a configured `nonce` still bind the response.',
  ],
  'T-OIDC-4': ['The issuer of a response is the issuer that received the request (RFC 9207).'],
  'T-OIDC-5': [
    'An ID token is accepted only with the right signature, issuer, audience, times, nonce and hashes.',
  ],
  'T-OIDC-6': [
    'Keys are cached; unknown key ids cause at most one fetch a minute; headers cannot supply keys.',
  ],
  'T-OIDC-7': ['Metadata must belong to the configured issuer.'],
  'T-OIDC-8': ['Userinfo must have the subject of the ID token.'],
  'T-OIDC-9': ['Callers cannot set the values that bind a request, or weaken the configuration.'],
  'T-OIDC-10': ['Errors of a provider are shown by code only.'],
  'T-OIDC-11': ['An invalid token response is refused.'],
  'T-OIDC-12': [
    'The requested strength and recency of the authentication are compared with the response.',
  ],
  'T-OIDC-13': ['Providers supplied by tenants.', 'not built'],
  'T-OIDC-14': [
    "A provider's tokens do not reach the browser; the plugin `providerTokens` stores them sealed.",
  ],
  'T-OIDC-15': [
    'Stored tokens are those of the latest sign-in or renewal; of many processes, only one renews.',
  ],
  'T-NET-1': ['Requests to providers use https; plain http only on this machine.'],
  'T-NET-2': [
    'Requests to providers follow no redirect, and are limited in time, in size and in number at once.',
  ],
  'T-NET-3': [
    'Addresses supplied by tenants lead to no private network.',
    'tenants cannot supply addresses yet; metadata is only read from configured issuers',
  ],
  'T-OUT-1': [
    'A sign-out can end the session at the provider, too; if that fails, the session here has still ended.',
  ],
  'T-OUT-2': [
    'A logout token is accepted once, from its issuer, for this client, fresh, and with all members that the standard requires.',
  ],
  'T-OUT-3': ['Back-channel logout ends the sessions that the provider means, and no others.'],
  'T-OUT-4': ['Forged logout tokens cost little.'],
  'T-ST-11': ['A cookie of tokens can be opened only with its own session.'],
  'T-ST-12': ['Sealed tokens that were moved to another row, user or provider cannot be opened.'],
  'T-ST-13': [
    'A renewal is one request for all processes; a killed process loses at most its response, and never a session.',
  ],
  'T-ST-14': [
    'A response to a renewal that is for another user, too long or invalid changes no stored data.',
  ],
  'T-ST-15': [
    'More scopes are granted only to the user who requested them, in the same session, with the same account.',
  ],
  'T-ST-16': ['A sign-out at the provider redirects only to checked targets and over https.'],
  'T-ST-17': ['Another site, or an address with invented values, can sign nobody out.'],
  'T-ST-18': [
    'A logout token with one wrong member, a repeated one, or another kind of token ends no session.',
  ],
  'T-ST-19': [
    "Ten thousand forged logout tokens cause at most one more fetch of the provider's keys.",
  ],
  'T-ST-20': ['A sign-in that completes after its session at the provider ended gets no session.'],
  'T-ST-30': [
    'With `securityProfile`, options, metadata and responses that are weaker than the profile are refused, and nobody is signed in.',
  ],
  'T-LINK-1': ['An identity is a provider and its identifier, never an address.'],
  'T-LINK-2': [
    'The same address does not link accounts by default; an address that its provider calls unproven never does.',
    'by default, as in Auth.js, a mail signs in a user whose provider says nothing about the address; `opensUnproven: false` prevents that: see "An address is not always proven" above',
  ],
  'T-LINK-3': ['A linked account goes to the user who began the linking, in a valid session.'],
  'T-LINK-4': ['One identity belongs to one user, even if fifty sign-ins come at once.'],
  'T-LINK-5': ['A profile without a stable identifier is refused.'],
  'T-LINK-6': [
    'The last way to sign in cannot be removed.',
    'no route removes accounts or passkeys; an application that calls `unlinkAccount` of its adapter must check this itself',
  ],
  'T-LINK-7': ['Changing the address needs proof of the new one.', 'changing is not built'],
  'T-LINK-8': [
    'Deleting a user deletes all of their data.',
    'the adapters do it; a route is not built',
  ],
  'T-LINK-9': ['Fields that browsers must not set are refused.'],
  'T-OTV-1': ['A one-time value works once, even if it is used fifty times at the same moment.'],
  'T-OTV-2': ['A one-time value belongs to its address, purpose and browser.'],
  'T-OTV-3': ['One-time values are stored as keyed hashes.'],
  'T-OTV-4': ['A link works for ten minutes, unless you choose otherwise.'],
  'T-OTV-5': ['Guessing a code succeeds less often than once in 100,000 times.'],
  'T-OTV-6': ['Programs that only look at a link do not use it up.'],
  'T-OTV-7': ['Digits are unbiased.'],
  'T-OTV-8': ['A mail goes to exactly one address.'],
  'T-OTV-9': ['A second request invalidates the first one, or shares its attempts.'],
  'T-PWD-1': ['Password hashing.', 'Latchkey stores no passwords: `authorize` checks them'],
  'T-PWD-2': ['Rules for passwords.', 'the application checks passwords'],
  'T-PWD-3': [
    'Answers do not show whether an account exists.',
    'the application checks passwords; for passkeys see T-PK-6',
  ],
  'T-PWD-4': [
    'With the plugin `limits`, sign-ins with a password are limited by network, and by network and name together.',
    'without the plugin the application must limit them; by default no rule limits attempts on one name from many networks; for codes see T-OTV-5',
  ],
  'T-PWD-5': [
    'With the plugin `limits`, strangers cannot lock the owner out of a browser in which the owner signed in before.',
    'in a new browser, somebody in the same network can',
  ],
  'T-PWD-6': ['Resetting a password.', 'the application checks passwords'],
  'T-PWD-7': ['Changing a password.', 'the application checks passwords'],
  'T-MFA-1': ['Second factors.', 'not built'],
  'T-MFA-2': ['The level that an account needs.', 'not built'],
  'T-MFA-3': ['Changing factors.', 'not built'],
  'T-MFA-4': ['Recovery codes.', 'not built'],
  'T-PK-1': ['A challenge is random, for one purpose, used once.'],
  'T-PK-2': ["Every part of a passkey's response is checked."],
  'T-PK-3': ['A credential id exists once.'],
  'T-PK-4': ['A passkey signs in only its owner.'],
  'T-PK-5': ['A requested attestation is verified against your own roots.'],
  'T-PK-6': ['Options do not show whether an address has passkeys.'],
  'T-FLOW-1': ['The states of a sign-in are documented; there are no others.'],
  'T-FLOW-2': ['The `signIn` callback has the same effect for every kind of sign-in.'],
  'T-FLOW-3': ['Any failure at any point means "not signed in", and leaves no partial data.'],
  'T-FLOW-4': ['A session begins only after an action of the visitor in this browser.'],
  'T-FLOW-5': ['The cost of a request is bounded.'],
  'T-KEY-1': ['Production does not start without a secret, or with a weak one.'],
  'T-KEY-2': ['One purpose, one key.'],
  'T-KEY-3': ['Changing the secret breaks nothing that is in progress.'],
  'T-KEY-4': ['Tokens of other issuers are refused quickly, independent of their header.'],
  'T-KEY-5': [
    'Secrets are compared in constant time.',
    'read in `base/crypto/equal.ts`, not measured',
  ],
  'T-KEY-6': [
    'A token for another service has an issuer, an audience, a type and a short life, and the verifier checks all of them.',
  ],
  'T-DATA-1': ['If a feature needs a capability that the store lacks, the start fails.'],
  'T-DATA-2': ['Records are found by all parts of their key.'],
  'T-DATA-3': ['Data that belongs together is written together.'],
  'T-DATA-4': ['Cursors from clients return the right page, or are refused.'],
  'T-DATA-5': [
    'Data that is stored under one name or prefix is not found under another.',
    'tenants of one service',
  ],
  'T-AUD-1': ['No log holds a secret.'],
  'T-AUD-2': [
    'Each result leaves one truthful event.',
    'events exist for actions of service and store, not for refusals',
  ],
  'T-AUD-3': ['A log line cannot be forged.'],
  'T-AUD-4': ['Visitors see general messages; the log has the details.'],
  'T-AUD-5': ['A changed audit log is detected.', 'not built'],
  'T-ST-1': ['After a session ended, every copy of its cookie is refused everywhere.'],
  'T-ST-2': [
    'Extending a session never revives an ended one, and never exceeds the absolute maximum age.',
  ],
  'T-ST-3': [
    'If the password changes during a sign-in with the old one, the sign-in gets no session.',
  ],
  'T-ST-4': [
    'Only authorized users can end a session of another user; for others it looks like a session that does not exist.',
  ],
  'T-ST-5': ['No value in a copy of the store is a cookie, a bearer token, a key or a code.'],
  'T-ST-6': ['A verifier refuses responses that are old, truncated or for another request.'],
  'T-ST-7': [
    'A flood of sign-outs is compacted as it arrives, and its memory in each process is bounded.',
  ],
  'T-ST-8': ['Session ids are random, and no client can choose one.'],
  'T-ST-9': ['Neither an update nor a callback can set the metadata of a session.'],
  'T-ST-10': ['A header of a browser costs little, and is never shown unchanged.'],
  'T-ST-21': [
    'A token for one purpose, API or site is refused by every other, independent of its header.',
  ],
  'T-ST-22': ['No page of another origin, and no code that shows or runs one, receives a token.'],
  'T-ST-23': ['Keys change without refused tokens, and a compromised key is no longer published.'],
  'T-ST-24': [
    'A code of an app needs its verifier, its client and its redirect URI; a second use ends what it created.',
  ],
  'T-ST-25': [
    'A sign-in that another program began finishes only after a click on a page that explains it.',
  ],
  'T-ST-26': ['Device codes cannot be guessed, and one session decides once about one device.'],
  'T-ST-27': [
    'API keys cannot be probed, allow only their scopes, and open no page of an account.',
    'a row of `npm run bench` compares the times of refusals; no test does',
  ],
  'T-ST-28': [
    'A token in a header is checked without cookies, and refused from pages of other sites.',
  ],
  'T-ST-29': ['No log holds a token, a code or a key.'],
}

/** Test files by the ids in the names of their tests. */
function proofs(): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const files = globSync('packages/*/{src,tests}/**/*.ts', { cwd: root })
    .filter((file) => /\.test\.ts$|\/tests\//.test(file))
    .sort()
  for (const file of files) {
    for (const id of idsIn(readFileSync(join(root, file), 'utf8')))
      found.set(id, (found.get(id) ?? new Set()).add(file))
  }
  return new Map([...found].map(([id, names]) => [id, [...names]]))
}

const ID = /\bT-[A-Z]+-\d+\b/g

/**
 * Returns the ids in the texts of a test file, wherever they stand in them: names of tests are written out, or come from
 * a table. Comments prove nothing.
 */
export function idsIn(source: string): string[] {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node === 'string') for (const [id] of node.matchAll(ID)) found.add(id)
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, value, ...members } = node as { type?: unknown; value?: unknown }
    if (type === 'Literal') return visit(value)
    if (type === 'TemplateElement') return visit((value as { cooked?: unknown }).cooked)
    for (const member of Object.values({ ...members, value }))
      if (typeof member === 'object') visit(member)
  }
  if (source.search(ID) >= 0) visit(parseAst(source, { lang: 'ts' }))
  return [...found]
}

function table(): string {
  const tests = proofs()
  const unknown = [...tests].filter(([id]) => !(id in threats))
  if (unknown.length > 0) {
    const where = unknown.map(([id, files]) => `${id} (${files.join(', ')})`).join(', ')
    throw new Error(`tests name ids that tools/threats.ts does not know: ${where}`)
  }
  const rows = Object.entries(threats).map(([id, [holds, open]]) => {
    const files = tests.get(id) ?? []
    const links = files.map(
      (file) => `[${label(file)}](${relative(join(page, '..'), join(root, file))})`,
    )
    const state = [
      ...links,
      ...(open || links.length === 0 ? [`**open**${open ? `: ${open}` : ''}`] : []),
    ]
    return `| ${id} | ${holds} | ${state.join(', ')} |`
  })
  return ['| id | what must hold | proved in |', '| --- | --- | --- |', ...rows].join('\n')
}

function label(file: string): string {
  return basename(file).replace(/(\.test)?\.ts$/, '')
}

function main(): void {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`${page} has no place for the table`)
  const made = `${text.slice(0, before)}${BEGIN}\n\n${table()}\n\n${text.slice(after)}`
  if (process.argv.includes('--write')) writeFileSync(page, made)
  else if (made !== text) {
    console.log(
      'docs/explanation/security.md is not what the tests say: node tools/threats.ts --write',
    )
    process.exitCode = 1
  }
}

if (import.meta.main) main()
