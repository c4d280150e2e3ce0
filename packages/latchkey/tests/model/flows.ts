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
  | 'the URL of the callback'
  | 'verify-request'
  | `verify-request?error=${string}`
  | `signin?error=${string}`
  | `error?error=${string}`
  | 'a page with a button'
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
  edge({ from, on, when: 'the `signIn` callback refuses', to: from, answer: DENIED }),
  edge({ from, on, when: 'the `signIn` callback throws', to: from, answer: DENIED }),
  edge({
    from,
    on,
    when: 'the `signIn` callback returns a URL',
    to: from,
    answer: 'the URL of the callback',
  }),
]

export const edges: readonly Edge[] = [
  // ── a sign-in with an OAuth or OpenID provider: one for each time that somebody begins ──────
  provider({ from: 'none', on: 'start', to: 'started', answer: 'the provider' }),
  provider({ from: 'started', on: 'five others start', to: 'displaced' }),
  provider({ from: 'started', on: '15 minutes pass', to: 'expired' }),
  provider({
    from: 'started',
    on: 'return with a code',
    when: 'in another browser',
    to: 'started',
    answer: CONFIGURATION,
  }),
  provider({
    from: 'started',
    on: 'return with a code',
    when: 'the provider refuses the code',
    to: 'used',
    answer: CONFIGURATION,
  }),
  provider({ from: 'started', on: 'return with a code', to: 'proven' }),
  provider({
    from: 'started',
    on: 'return with an error',
    when: 'in another browser',
    to: 'started',
    answer: CONFIGURATION,
  }),
  provider({
    from: 'started',
    on: 'return with an error',
    to: 'used',
    answer: 'signin?error=OAuthCallbackError',
  }),
  ...['used', 'displaced', 'expired'].map((from) =>
    provider({ from, on: 'return with a code', to: from, answer: CONFIGURATION }),
  ),

  // ── a mail with a link and a code: one for each time that somebody asks ────────────────────
  ...askedFirst(mail, 'none', 'request a mail'),
  mail({
    from: 'none',
    on: 'request a mail',
    when: 'the address is invalid',
    to: 'none',
    answer: 'signin?error=EmailSignin',
  }),
  mail({ from: 'none', on: 'request a mail', to: 'sent', answer: 'verify-request' }),
  mail({ from: 'sent', on: 'the same browser requests another mail', to: 'replaced' }),
  mail({ from: 'sent', on: '10 minutes pass', to: 'expired' }),
  mail({ from: 'sent', on: 'open the link', when: 'in the browser of the request', to: 'proven' }),
  mail({ from: 'sent', on: 'open the link', to: 'sent', answer: 'a page with a button' }),
  mail({ from: 'sent', on: 'press the button', to: 'proven' }),
  mail({
    from: 'sent',
    on: 'enter the code',
    when: 'in another browser',
    to: 'sent',
    answer: VERIFICATION,
  }),
  mail({
    from: 'sent',
    on: 'enter the code',
    when: 'after too many attempts',
    to: 'sent',
    answer: 'verify-request?error=TooManyAttempts',
  }),
  mail({
    from: 'sent',
    on: 'enter the code',
    when: 'the code is wrong',
    to: 'sent',
    answer: 'verify-request?error=WrongCode',
  }),
  mail({ from: 'sent', on: 'enter the code', to: 'proven' }),
  ...['used', 'replaced', 'expired'].map((from) =>
    mail({ from, on: 'press the button', to: from, answer: VERIFICATION }),
  ),

  // ── a passkey: one challenge at a time for each browser ─────────────────────────────────────
  passkey({
    from: 'none',
    on: 'request options to register',
    when: 'the address belongs to a user',
    to: 'none',
    answer: '400',
  }),
  passkey({
    from: 'none',
    on: 'request options to register',
    to: 'challenge to register',
    answer: 'options',
  }),
  passkey({
    from: 'none',
    on: 'request options to sign in',
    to: 'challenge to sign in',
    answer: 'options',
  }),
  passkey({ from: 'challenge to register', on: '15 minutes pass', to: 'expired' }),
  passkey({ from: 'challenge to sign in', on: '15 minutes pass', to: 'expired' }),
  passkey({ from: 'challenge to register', on: 'sign in', to: 'used', answer: CONFIGURATION }),
  passkey({ from: 'challenge to sign in', on: 'register', to: 'used', answer: CONFIGURATION }),
  passkey({ from: 'challenge to register', on: 'register', to: 'proven' }),
  passkey({
    from: 'challenge to sign in',
    on: 'sign in',
    when: 'with a wrong signature',
    to: 'used',
    answer: 'error?error=WebAuthnVerificationError',
  }),
  passkey({
    from: 'challenge to sign in',
    on: 'sign in',
    when: 'with a passkey of another user than requested',
    to: 'used',
    answer: 'error?error=WebAuthnVerificationError',
  }),
  passkey({ from: 'challenge to sign in', on: 'sign in', to: 'proven' }),
  ...['none', 'expired'].flatMap((from) => [
    passkey({ from, on: 'sign in', to: from, answer: CONFIGURATION }),
    passkey({ from, on: 'register', to: from, answer: CONFIGURATION }),
  ]),

  // ── credentials ────────────────────────────────────────────────────────────────────────────
  {
    machine: 'password',
    from: 'none',
    on: 'submit the form',
    when: 'the credentials are wrong',
    to: 'none',
    answer: 'signin?error=CredentialsSignin',
  },
  { machine: 'password', from: 'none', on: 'submit the form', to: 'proven' },

  // ── what follows a proof, whatever it was ──────────────────────────────────────────────────
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the `signIn` callback refuses',
    to: 'refused',
    answer: DENIED,
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the `signIn` callback throws',
    to: 'refused',
    answer: DENIED,
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'the `signIn` callback returns a URL',
    to: 'refused',
    answer: 'the URL of the callback',
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
    when: 'a verified address of a user',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address that another user entered with a passkey and never verified',
    to: 'signed in',
    answer: 'the target',
    events: ['updateUser', 'createUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address of a user, not verified before',
    to: 'signed in',
    answer: 'the target',
    events: ['updateUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an address that no user has',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account of the current user',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account of another user than the current one',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'an account, without a current user',
    to: 'signed in',
    answer: 'the target',
    events: ['signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new account, and the current user started the sign-in',
    to: 'signed in',
    answer: 'the target',
    events: ['linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new account, and the current user did not start the sign-in',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new account with the address of another user',
    to: 'refused',
    answer: 'signin?error=OAuthAccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new account with an address that no user has',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a passkey of another user than the current one',
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
    when: 'a new passkey, and the current user is not the one who requested it',
    to: 'refused',
    answer: 'signin?error=AccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey, and the current user requested it',
    to: 'signed in',
    answer: 'the target',
    events: ['linkAccount', 'signIn'],
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey with an address of another user',
    to: 'refused',
    answer: 'signin?error=AccountNotLinked',
  }),
  decision({
    from: 'proven',
    on: 'decide',
    when: 'a new passkey with an address that no user has',
    to: 'signed in',
    answer: 'the target',
    events: ['createUser', 'linkAccount', 'signIn'],
  }),

  // ── a session of one browser ───────────────────────────────────────────────────────────────
  session({ from: 'none', on: 'sign in', to: 'active' }),
  session({ from: 'active', on: 'one day passes', to: 'renewal due' }),
  session({ from: 'renewal due', on: '30 days pass', to: 'expired' }),
  session({ from: 'none', on: 'read', to: 'none', answer: 'null' }),
  session({ from: 'active', on: 'read', to: 'active', answer: 'the session', events: ['session'] }),
  session({
    from: 'renewal due',
    on: 'read',
    to: 'active',
    answer: 'the session',
    events: ['session'],
  }),
  session({ from: 'expired', on: 'read', to: 'none', answer: 'null' }),
  session({ from: 'none', on: 'update', to: 'none', answer: 'null' }),
  session({
    from: 'active',
    on: 'update',
    to: 'active',
    answer: 'the session',
    events: ['session'],
  }),
  session({
    from: 'renewal due',
    on: 'update',
    to: 'active',
    answer: 'the session',
    events: ['session'],
  }),
  session({ from: 'expired', on: 'update', to: 'none', answer: 'null' }),
  session({ from: 'none', on: 'sign out', to: 'none', answer: 'the target' }),
  session({
    from: 'active',
    on: 'sign out',
    to: 'none',
    answer: 'the target',
    events: ['signOut'],
  }),
  session({
    from: 'renewal due',
    on: 'sign out',
    to: 'none',
    answer: 'the target',
    events: ['signOut'],
  }),
  session({ from: 'expired', on: 'sign out', to: 'none', answer: 'the target' }),
  session({ from: 'active', on: 'sign in again', to: 'active' }),
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
