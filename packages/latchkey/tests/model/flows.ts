/**
 * What can happen, as data: the states of a sign-in and of a session, what leads from one to another,
 * and what the visitor sees. The walk beside this file plays it against the core; the page of the docs
 * is made from it.
 */

/** What a machine is about. */
export type Machine = 'provider' | 'mail' | 'passkey' | 'password' | 'decision' | 'session'

/** Where the visitor is led, or what they are shown. */
export type Answer =
  | 'the provider'
  | 'the target'
  | 'elsewhere'
  | 'verify-request'
  | `verify-request?error=${string}`
  | `signin?error=${string}`
  | `error?error=${string}`
  | 'a page that asks'
  | 'options'
  | '400'
  | 'the session'
  | 'null'

export type EventName =
  | 'createUser'
  | 'updateUser'
  | 'linkAccount'
  | 'signIn'
  | 'signOut'
  | 'session'

export interface Edge {
  readonly machine: Machine
  readonly from: string
  readonly on: string
  /** Of several edges with the same `from` and `on` the first counts whose condition holds. */
  readonly when?: string
  readonly to: string
  /** `undefined` when the visitor sees nothing yet: what is proven goes on to the decision. */
  readonly answer?: Answer
  readonly events?: readonly EventName[]
}

const provider = (edge: Omit<Edge, 'machine'>): Edge => ({ machine: 'provider', ...edge })
const mail = (edge: Omit<Edge, 'machine'>): Edge => ({ machine: 'mail', ...edge })
const passkey = (edge: Omit<Edge, 'machine'>): Edge => ({ machine: 'passkey', ...edge })
const decision = (edge: Omit<Edge, 'machine'>): Edge => ({ machine: 'decision', ...edge })
const session = (edge: Omit<Edge, 'machine'>): Edge => ({ machine: 'session', ...edge })

const CONFIGURATION = 'error?error=Configuration'
const VERIFICATION = 'error?error=Verification'
const DENIED = 'error?error=AccessDenied'

/** What the `signIn` callback says, at the request for a mail as well as at the end. */
const askedFirst = (edge: (rest: Omit<Edge, 'machine'>) => Edge, from: string, on: string) => [
  edge({ from, on, when: 'the application refuses', to: from, answer: DENIED }),
  edge({ from, on, when: 'the application throws', to: from, answer: DENIED }),
  edge({ from, on, when: 'the application sends elsewhere', to: from, answer: 'elsewhere' }),
]

export const edges: readonly Edge[] = [
  // ── a sign-in with an OAuth or OpenID provider: one for each time that somebody begins ──────
  provider({ from: 'none', on: 'begin', to: 'begun', answer: 'the provider' }),
  provider({ from: 'begun', on: 'five others begin', to: 'closed' }),
  provider({ from: 'begun', on: 'a quarter of an hour passes', to: 'too old' }),
  provider({
    from: 'begun',
    on: 'agreed',
    when: 'in another browser',
    to: 'begun',
    answer: CONFIGURATION,
  }),
  provider({
    from: 'begun',
    on: 'agreed',
    when: 'with a code that the provider refuses',
    to: 'used',
    answer: CONFIGURATION,
  }),
  provider({ from: 'begun', on: 'agreed', to: 'proven' }),
  provider({
    from: 'begun',
    on: 'declined',
    when: 'in another browser',
    to: 'begun',
    answer: CONFIGURATION,
  }),
  provider({
    from: 'begun',
    on: 'declined',
    to: 'used',
    answer: 'signin?error=OAuthCallbackError',
  }),
  ...['used', 'closed', 'too old'].map((from) =>
    provider({ from, on: 'agreed', to: from, answer: CONFIGURATION }),
  ),

  // ── a mail with a link and a code: one for each time that somebody asks ────────────────────
  ...askedFirst(mail, 'none', 'ask'),
  mail({
    from: 'none',
    on: 'ask',
    when: 'for something that is no address',
    to: 'none',
    answer: 'signin?error=EmailSignin',
  }),
  mail({ from: 'none', on: 'ask', to: 'sent', answer: 'verify-request' }),
  mail({ from: 'sent', on: 'the same browser asks again', to: 'replaced' }),
  mail({ from: 'sent', on: 'ten minutes pass', to: 'too old' }),
  mail({ from: 'sent', on: 'open', when: 'in the browser that asked', to: 'proven' }),
  mail({ from: 'sent', on: 'open', to: 'sent', answer: 'a page that asks' }),
  mail({ from: 'sent', on: 'confirm', to: 'proven' }),
  mail({
    from: 'sent',
    on: 'type the code',
    when: 'in another browser',
    to: 'sent',
    answer: VERIFICATION,
  }),
  mail({
    from: 'sent',
    on: 'type the code',
    when: 'after too many attempts',
    to: 'sent',
    answer: 'verify-request?error=TooManyAttempts',
  }),
  mail({
    from: 'sent',
    on: 'type the code',
    when: 'wrongly',
    to: 'sent',
    answer: 'verify-request?error=WrongCode',
  }),
  mail({ from: 'sent', on: 'type the code', to: 'proven' }),
  ...['used', 'replaced', 'too old'].map((from) =>
    mail({ from, on: 'confirm', to: from, answer: VERIFICATION }),
  ),

  // ── a passkey: one challenge at a time for each browser ─────────────────────────────────────
  passkey({
    from: 'none',
    on: 'ask to register',
    when: 'with a known address',
    to: 'none',
    answer: '400',
  }),
  passkey({ from: 'none', on: 'ask to register', to: 'drawn to register', answer: 'options' }),
  passkey({ from: 'none', on: 'ask to sign in', to: 'drawn to sign in', answer: 'options' }),
  passkey({ from: 'drawn to register', on: 'a quarter of an hour passes', to: 'too old' }),
  passkey({ from: 'drawn to sign in', on: 'a quarter of an hour passes', to: 'too old' }),
  passkey({ from: 'drawn to register', on: 'sign in', to: 'used', answer: CONFIGURATION }),
  passkey({ from: 'drawn to sign in', on: 'register', to: 'used', answer: CONFIGURATION }),
  passkey({ from: 'drawn to register', on: 'register', to: 'proven' }),
  passkey({
    from: 'drawn to sign in',
    on: 'sign in',
    when: 'with a wrong signature',
    to: 'used',
    answer: 'error?error=WebAuthnVerificationError',
  }),
  passkey({
    from: 'drawn to sign in',
    on: 'sign in',
    when: 'with a passkey of another than was asked for',
    to: 'used',
    answer: 'error?error=WebAuthnVerificationError',
  }),
  passkey({ from: 'drawn to sign in', on: 'sign in', to: 'proven' }),
  ...['none', 'too old'].flatMap((from) => [
    passkey({ from, on: 'sign in', to: from, answer: CONFIGURATION }),
    passkey({ from, on: 'register', to: from, answer: CONFIGURATION }),
  ]),

  // ── credentials ────────────────────────────────────────────────────────────────────────────
  {
    machine: 'password',
    from: 'none',
    on: 'send',
    when: 'wrongly',
    to: 'none',
    answer: 'signin?error=CredentialsSignin',
  },
  { machine: 'password', from: 'none', on: 'send', to: 'proven' },

  // ── what follows a proof, whatever it was ──────────────────────────────────────────────────
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the application refuses',
    to: 'refused',
    answer: DENIED,
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the application throws',
    to: 'refused',
    answer: DENIED,
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the application sends elsewhere',
    to: 'refused',
    answer: 'elsewhere',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a password',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address of somebody known',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address that somebody else gave with a passkey and never proved',
    to: 'signed in',
    answer: 'the target',
    events: ['updateUser', 'createUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address of somebody known, for the first time',
    to: 'signed in',
    answer: 'the target',
    events: ['updateUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address of nobody',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account of who is signed in',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account, and somebody else is signed in',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'no account, and who is signed in began it',
    to: 'signed in',
    answer: 'the target',
    events: ['linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'no account, and who is signed in did not begin it',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'no account, and the address of somebody',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'no account, and the address of nobody',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a passkey, and somebody else is signed in',
    to: 'refused',
    answer: 'signin?error=AccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a passkey',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey, and who is signed in did not ask for it',
    to: 'refused',
    answer: 'signin?error=AccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey of who is signed in',
    to: 'signed in',
    answer: 'the target',
    events: ['linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey, and the address of somebody',
    to: 'refused',
    answer: 'signin?error=AccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey, and the address of nobody',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'linkAccount', 'signIn'],
  }),

  // ── a session of one browser ───────────────────────────────────────────────────────────────
  session({ from: 'none', on: 'sign in', to: 'live' }),
  session({ from: 'live', on: 'a day passes', to: 'due' }),
  session({ from: 'due', on: 'thirty days pass', to: 'over' }),
  session({ from: 'none', on: 'read', to: 'none', answer: 'null' }),
  session({ from: 'live', on: 'read', to: 'live', answer: 'the session', events: ['session'] }),
  session({ from: 'due', on: 'read', to: 'live', answer: 'the session', events: ['session'] }),
  session({ from: 'over', on: 'read', to: 'none', answer: 'null' }),
  session({ from: 'none', on: 'update', to: 'none', answer: 'null' }),
  session({ from: 'live', on: 'update', to: 'live', answer: 'the session', events: ['session'] }),
  session({ from: 'due', on: 'update', to: 'live', answer: 'the session', events: ['session'] }),
  session({ from: 'over', on: 'update', to: 'none', answer: 'null' }),
  session({ from: 'none', on: 'sign out', to: 'none', answer: 'the target' }),
  session({ from: 'live', on: 'sign out', to: 'none', answer: 'the target', events: ['signOut'] }),
  session({ from: 'due', on: 'sign out', to: 'none', answer: 'the target', events: ['signOut'] }),
  session({ from: 'over', on: 'sign out', to: 'none', answer: 'the target' }),
  session({ from: 'live', on: 'sign in again', to: 'live' }),
]

/** The edge that counts. @throws when the model does not know what happened. */
export function edgeOf(
  machine: Machine,
  from: string,
  on: string,
  holds: (condition: string) => boolean,
): Edge {
  const edge = edges.find(
    (each) =>
      each.machine === machine &&
      each.from === from &&
      each.on === on &&
      (each.when === undefined || holds(each.when)),
  )
  if (!edge) throw new Error(`the model has no edge for ${machine}: ${from}, ${on}`)
  return edge
}
