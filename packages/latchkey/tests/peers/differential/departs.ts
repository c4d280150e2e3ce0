/** By group and scenario: the departures that show in it, and in which fields. */
export const departs: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>
> = {
  actions: {
    'GET session for the first time': {
      'D-62': ['1 cookie __Host-authjs.csrf-token', '1 cookie __Secure-authjs.callback-url'],
    },
    'POST signin without any cookie': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'GET signout': {
      'D-32': ['1 body links'],
    },
    'GET signout for the first time': {
      'D-32': ['1 body links'],
    },
    'POST callback of credentials': {
      'D-37': [
        '1 location',
        '1 cookie __Secure-authjs.session-token',
        '1 adapter getUser',
        '1 event signIn',
        '1 log AuthError',
      ],
    },
    'GET callback of an e-mail provider without a token': {
      'D-77': ['1 location query error', '1 log Verification', '1 log CallbackRouteError'],
    },
    'GET error for the first time': {
      'D-76': ['1 cookie __Host-authjs.csrf-token', '1 cookie __Secure-authjs.callback-url'],
    },
    'GET verify-request': {
      'D-32': ['1 body links'],
    },
    'GET verify-request for the first time': {
      'D-32': ['1 body links'],
      'D-76': ['1 cookie __Host-authjs.csrf-token', '1 cookie __Secure-authjs.callback-url'],
    },
  },
  requests: {
    'the path /authsession': {
      'D-01': ['1 status', '1 body', '1 log UnknownAction'],
    },
    "the path /providers where the base path is '/'": {
      'D-01': ['1 body password signinUrl', '1 body password callbackUrl'],
    },
    "the path /providers where the base path is ''": {
      'D-01': ['1 body password signinUrl', '1 body password callbackUrl'],
    },
    "the path /a/providers where the base path is '/a/'": {
      'D-01': ['1 body password signinUrl', '1 body password callbackUrl'],
    },
    "the path /aXb/providers where the base path is '/a.b'": {
      'D-01': ['1 status', '1 body', '1 log UnknownAction'],
    },
    "the path /a+b/providers where the base path is '/a+b'": {
      'D-01': ['1 status', '1 body', '1 log UnknownAction'],
    },
    "the path /auth/providers where the base path is 'auth'": {
      'D-01': ['1 status', '1 body', '1 log UnknownAction'],
    },
    'a body: larger than a mebibyte': {
      'D-56': [
        '1 status',
        '1 type',
        '1 cookie __Secure-authjs.session-token',
        '1 body',
        '1 location',
        '1 callback authorize',
        '1 event signIn',
      ],
    },
    'a form that another site sent': {
      'D-72': [
        '1 location',
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 log MissingCSRF',
      ],
    },
    'a foreign cookie whose name begins like the session cookie': {
      'D-08': [
        '1 cookie __Secure-authjs.session-token value',
        '1 cookie __Secure-authjs.session-token attributes 0',
        '1 cookie __Secure-authjs.session-token attributes 1',
        '1 cookie __Secure-authjs.session-token-x',
        '1 body',
        '1 event session',
        '1 log JWTSessionError',
      ],
    },
    'a left-over piece beside the session cookie': {
      'D-08': [
        '1 cookie __Secure-authjs.session-token value',
        '1 cookie __Secure-authjs.session-token attributes 0',
        '1 cookie __Secure-authjs.session-token attributes 1',
        '1 body',
        '1 event session',
        '1 log JWTSessionError',
        '2 cookie __Secure-authjs.session-token',
        '2 event signOut',
      ],
    },
    'asked for the address: a page of the application': {
      'D-57': ['1 body url'],
    },
    'asked for the address: a configuration that cannot be used': {
      'D-32': ['2 body links'],
    },
  },
  'callback URLs': {
    "in the body: 'inbox'": {
      'D-47': [
        '1 location',
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 log warning callback-url-unusable',
      ],
    },
    "in the query: 'inbox'": {
      'D-47': [
        '1 status',
        '1 body forms',
        '1 log warning callback-url-unusable',
        '1 log InvalidCallbackUrl',
      ],
    },
    "in the cookie: 'inbox'": {
      'D-47': [
        '1 status',
        '1 type',
        '1 location',
        '1 cookie __Secure-authjs.callback-url',
        '1 body',
        '1 log warning callback-url-unusable',
        '1 log InvalidCallbackUrl',
      ],
    },
    "in the body: 'javascript:alert(1)'": {
      'D-47': ['1 log warning callback-url-unusable'],
    },
    "in the query: 'javascript:alert(1)'": {
      'D-47': [
        '1 status',
        '1 body forms',
        '1 log warning callback-url-unusable',
        '1 log InvalidCallbackUrl',
      ],
    },
    "in the cookie: 'javascript:alert(1)'": {
      'D-47': [
        '1 status',
        '1 type',
        '1 location',
        '1 cookie __Secure-authjs.callback-url',
        '1 body',
        '1 log warning callback-url-unusable',
        '1 log InvalidCallbackUrl',
      ],
    },
    'the last of two in the query': {
      'D-100': ['1 cookie __Secure-authjs.callback-url value'],
    },
    'a `redirect` callback that answers with a path': {
      'D-81': ['1 location', '1 cookie __Secure-authjs.callback-url value'],
    },
    'a `redirect` callback that throws': {
      'D-31': ['1 callback redirect (2)'],
      'D-44': ['3 status', '3 type', '3 body', '3 location'],
      'D-62': ['2 status', '2 type', '2 body', '2 location', '2 callback redirect'],
    },
    'what the `redirect` callback is asked': {
      'D-62': ['3 callback redirect', '4 callback redirect'],
    },
  },
  pages: {
    'the sign-in page with fields in the query': {
      'D-29': ['1 body forms 0 fields 0', '1 body forms 1 fields 0', '1 body forms 2 fields 0'],
    },
    'the error page for Configuration': {
      'D-32': ['1 body links'],
    },
    'the error page for AccessDenied': {
      'D-32': ['1 body links'],
    },
    'the error page for Verification': {
      'D-32': ['1 body links'],
    },
    'own sign-in page with a query': {
      'D-30': ['2 location query lang', '2 location query error'],
    },
    'own sign-in page elsewhere': {
      'D-30': ['2 location to'],
    },
    'own error page without an error': {
      'D-29': ['1 location'],
    },
    'own error page with an error to encode': {
      'D-29': ['1 location'],
    },
    'own error page with a query': {
      'D-30': ['2 location query lang', '2 location query error'],
    },
    'own pages where the built-in ones are': {
      'D-75': [
        '1 status',
        '1 type',
        '1 body',
        '1 location',
        '2 status',
        '2 type',
        '2 body',
        '2 location',
      ],
    },
  },
  sessions: {
    'reading, not yet due': {
      'D-63': [
        '1 cookie __Secure-authjs.session-token',
        '2 cookie __Secure-authjs.session-token',
        '2 body expires',
        '2 event session session expires',
        '3 event session token iat',
        '3 event session token exp',
      ],
    },
    'a `jwt` callback that throws': {
      'D-43': ['1 status', '1 cookie __Secure-authjs.session-token'],
    },
    'a `session` callback that throws': {
      'D-43': ['1 status', '1 cookie __Secure-authjs.session-token'],
    },
    update: {
      'C-04': ['1 callback session newSession', '1 callback session trigger'],
    },
    'update as JSON': {
      'C-04': ['1 callback session newSession', '1 callback session trigger'],
    },
    'sign-out with a token that nobody made': {
      'D-103': ['1 log SignOutError'],
    },
    'raw: failures': {
      'D-84': ['6 raw cookies'],
    },
    'stored: reading, not yet due': {
      'D-64': ['1 cookie __Secure-authjs.session-token'],
    },
    'stored: as the peer stores it': {
      'D-66': [
        '1 adapter getSessionAndUser (2)',
        '1 adapter createSession',
        '1 adapter getSessionAndUser (3)',
        '1 adapter deleteSession',
      ],
    },
    'stored: unknown': {
      'D-66': ['1 adapter getSessionAndUser (2)'],
    },
    'stored: the store fails while reading': {
      'D-43': ['1 status'],
    },
    'stored: a sealed session of before': {
      'D-66': ['1 adapter getSessionAndUser', '1 adapter getSessionAndUser (2)'],
    },
  },
  credentials: {
    'a form is accepted': {
      'D-62': ['2 callback redirect'],
    },
    'stored sessions': {
      'D-37': [
        '1 status',
        '1 type',
        '1 location',
        '1 cookie __Secure-authjs.session-token',
        '1 body',
        '1 adapter getUser',
        '1 adapter createSession',
        '1 callback authorize',
        '1 event signIn',
        '1 log UnsupportedStrategy',
        '2 status',
        '2 body user',
        '2 body expires',
        '2 body message',
        '2 event session',
        '2 log UnsupportedStrategy',
      ],
    },
  },
  email: {
    'a new person, stored session': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'a new person, sealed session': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'a known person, stored session': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'a known person, sealed session': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'a person whose address is proven': {
      'D-28': ['2 adapter updateUser', '2 event updateUser', '2 event signIn user emailVerified'],
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'what the callbacks are told': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'what the callbacks are told of a new person': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'somebody else is signed in, stored session': {
      'D-67': ['2 adapter deleteSession', '2 adapter deleteSession (2)'],
      'D-86': [
        '2 adapter getUserByEmail (2)',
        '2 adapter getSessionAndUser',
        '2 adapter getSessionAndUser (2)',
      ],
    },
    'the same person is signed in, stored session': {
      'D-67': ['2 adapter deleteSession'],
      'D-86': [
        '2 adapter getUserByEmail (2)',
        '2 adapter getSessionAndUser',
        '2 adapter getSessionAndUser (2)',
      ],
    },
    'a page for new users': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'the link a second time': {
      'D-73': [
        '3 status',
        '3 type',
        '3 body',
        '3 location',
        '3 adapter useVerificationToken',
        '3 log Verification',
      ],
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'the link with another token': {
      'D-73': [
        '2 status',
        '2 type',
        '2 body',
        '2 location',
        '2 adapter useVerificationToken',
        '2 log Verification',
      ],
      'D-86': ['3 adapter getUserByEmail (3)'],
    },
    'the link without its address': {
      'D-77': ['2 adapter useVerificationToken'],
    },
    'the link without its token': {
      'D-77': ['2 location query error', '2 log Verification', '2 log CallbackRouteError'],
    },
    'the link with another callback URL': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'the link in another browser': {
      'D-73': [
        '2 status',
        '2 type',
        '2 cookie __Secure-authjs.session-token',
        '2 body',
        '2 location',
        '2 adapter useVerificationToken',
        '2 adapter getUserByEmail',
        '2 adapter getUserByEmail (2)',
        '2 adapter updateUser',
        '2 event updateUser',
        '2 event signIn',
      ],
    },
    'the link in another browser, without confirmation': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    "the address ''": {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    "the address 'nobody'": {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    "the address 'a@b@c'": {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    "the address 'a@'": {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    "the address '@b'": {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    'the address \'"a,b"@c.test\'': {
      'D-74': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    "the address 'a@b.test,c.test'": {
      'D-74': [
        '1 location to',
        '1 location query error',
        '1 location query provider',
        '1 location query type',
        '1 adapter getUserByEmail',
        '1 adapter createVerificationToken',
        '1 callback sendVerificationRequest',
        '1 log EmailSignInError',
        '1 mail link',
      ],
    },
    'own token': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'own secret': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'a mail server that is down': {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'a store that fails': {
      'D-26': ['1 callback sendVerificationRequest', '1 mail link'],
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'signIn refuses at the request': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'signIn throws at the request': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'signIn throws an error of the service at the request': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
      'D-53': [
        '1 location to',
        '1 location query error',
        '1 log OAuthAccountNotLinked',
        '1 log AccessDenied',
      ],
    },
    'the link as a form of nobody': {
      'D-73': [
        '2 status',
        '2 type',
        '2 cookie __Secure-authjs.session-token',
        '2 body',
        '2 location',
        '2 adapter useVerificationToken',
        '2 adapter getUserByEmail',
        '2 adapter getUserByEmail (2)',
        '2 adapter updateUser',
        '2 event updateUser',
        '2 event signIn',
      ],
    },
    'asked for as JSON': {
      'D-86': ['2 adapter getUserByEmail (3)'],
    },
    'an address that is no text': {
      'D-27': ['1 location to', '1 location query error', '1 log EmailSignInError'],
    },
    'signIn refuses at the link': {
      'D-86': ['2 adapter getUserByEmail (2)'],
    },
    'signIn says a path at the link': {
      'D-86': ['2 adapter getUserByEmail (2)'],
    },
  },
  configuration: {
    'credentials alone with stored sessions': {
      'D-37': ['1 status', '1 body', '1 log UnsupportedStrategy'],
    },
    'an adapter with the methods for mail alone': {
      'D-106': ['1 log warning adapter-methods-missing'],
    },
    'a provider that throws': {
      'D-04': ['1 status', '1 type', '1 cache', '1 cookie', '1 body', '1 raw'],
    },
    'a provider of an unknown type': {
      'D-104': ['1 status', '1 body message', '1 body csrfToken'],
    },
    'two providers with one id': {
      'D-46': ['1 body acme name', '1 log warning duplicate-provider-id'],
    },
    'answered: GET /auth/signin': {
      'D-32': ['1 body links'],
    },
    'answered: GET /auth/signout': {
      'D-32': ['1 body links'],
    },
    'answered: GET /auth/error': {
      'D-32': ['1 body links'],
    },
    'answered: GET /auth/verify-request': {
      'D-32': ['1 body links'],
    },
    'answered on the own error page': {
      'D-32': ['4 body links', '5 body links'],
    },
  },
  oauth: {
    'parameters of the authorization endpoint': {
      'D-12': ['1 provider GET https://idp.example/.well-known/openid-configuration'],
    },
    'an OAuth provider with an issuer alone': {
      'D-17': [
        '2 location',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
        '2 provider GET https://idp.example/userinfo',
      ],
    },
    'parameters in the query of the sign-in that bind it': {
      'D-19': [
        '1 location query response_type',
        '1 location query client_id',
        '1 location query redirect_uri',
        '1 location query callbackUrl',
        '1 location query csrfToken',
      ],
    },
    'a client without a secret': {
      'D-18': [
        '2 provider POST https://idp.example/token authorization',
        '2 provider POST https://idp.example/token form client_id',
      ],
    },
    'OAuth with an ID token that nobody asked for': {
      'D-17': [
        '2 location',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
        '2 provider GET https://idp.example/userinfo',
      ],
    },
    'a profile by a request of its own': {
      'D-101': ['2 event signIn account providerAccountId'],
    },
    'own `profile` and `account` callbacks': {
      'D-88': ['2 callback account', '2 callback account (2)'],
    },
    'a provider that posts back': {
      'D-12': ['1 provider GET https://idp.example/.well-known/openid-configuration'],
      'D-23': [
        '2 cookie __Secure-authjs.state attributes 3',
        '2 cookie __Secure-authjs.nonce attributes 3',
      ],
    },
    'an answer in a body that belongs into the query': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
      'D-83': ['2 log InvalidCheck', '2 log CallbackRouteError'],
    },
    'a provider that posts back, in a browser that keeps to SameSite': {
      'D-12': ['1 provider GET https://idp.example/.well-known/openid-configuration'],
      'D-23': [
        '1 cookie __Secure-authjs.pkce.code_verifier attributes 4',
        '2 location',
        '2 cookie __Secure-authjs.state attributes 3',
        '2 cookie __Secure-authjs.pkce.code_verifier attributes 3',
      ],
    },
    'options with other checks than the description': {
      'D-55': [
        '1 location query state',
        '1 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.state',
      ],
    },
    'another algorithm of ID tokens than the one configured': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a client that wants to know when people were authenticated: null': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a client that wants to know when people were authenticated: 1795200000': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token request of its own': {
      'D-16': [
        '2 callback jwt account access_token',
        '2 callback jwt account expires_in',
        '2 callback jwt account refresh_token',
        '2 callback jwt account scope',
        '2 callback jwt account expires_at',
        '2 event signIn account access_token',
        '2 event signIn account expires_in',
        '2 event signIn account refresh_token',
        '2 event signIn account scope',
        '2 event signIn account expires_at',
        '2 provider POST https://idp.example/oauth/token',
        '2 provider GET https://idp.example/userinfo authorization',
      ],
    },
    'asked for the address at a callback that is refused': {
      'D-27': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'several secrets': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
    },
    'a redirect proxy that hands over to a deployment, for another provider': {
      'D-24': [
        '1 location to',
        '1 location query error',
        '1 location query code',
        '1 location query state',
        '1 log InvalidCheck',
      ],
    },
    'a redirect proxy that hands over to another address': {
      'D-24': [
        '1 location to',
        '1 location query error',
        '1 location query code',
        '1 location query state',
        '1 log InvalidCheck',
      ],
    },
    'a redirect proxy that hands over to a script': {
      'D-24': ['1 location', '1 log InvalidCheck'],
    },
    'a redirect proxy that is no address': {
      'D-111': [
        '1 status',
        '1 type',
        '1 body',
        '1 location',
        '1 log AuthError',
        '2 status',
        '2 body',
        '2 log AuthError',
      ],
    },
    'another state': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
      'D-83': ['2 log InvalidCheck', '2 log CallbackRouteError'],
    },
    'no state': {
      'D-83': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
        '2 log InvalidCheck',
        '2 log CallbackRouteError',
      ],
    },
    'no code': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'another issuer': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'a refusal': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'a refusal without the state': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
      'D-83': ['2 log InvalidCheck', '2 log CallbackRouteError'],
    },
    'an answer of the hybrid flow': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'a signed answer': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'two codes': {
      'D-54': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
        '2 provider POST https://idp.example/token',
      ],
    },
    'two states': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
      'D-83': ['2 log InvalidCheck', '2 log CallbackRouteError'],
    },
    'no state cookie': {
      'D-83': [
        '2 location',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck',
        '2 provider POST https://idp.example/token',
      ],
    },
    'no pkce.code_verifier cookie': {
      'D-83': [
        '2 location',
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.nonce',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck',
        '2 provider POST https://idp.example/token',
      ],
    },
    'no nonce cookie': {
      'D-83': [
        '2 location',
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck',
      ],
    },
    'too late': {
      'D-31': [
        '2 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.nonce',
      ],
    },
    'at another provider of the application': {
      'D-31': ['2 cookie __Secure-authjs.state'],
    },
    'a provider that is down': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
      'D-50': ['1 location to', '1 location query error', '1 log OAuthSignInError'],
    },
    'metadata with another status': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
      'D-50': [
        '1 location to',
        '1 location query error',
        '1 log OAuthSignInError',
        '1 log OperationProcessingError',
      ],
    },
    'metadata of another issuer': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
      'D-50': [
        '1 location to',
        '1 location query error',
        '1 log OAuthSignInError',
        '1 log OperationProcessingError',
      ],
    },
    'metadata without an authorization endpoint': {
      'D-31': ['1 cookie __Secure-authjs.callback-url'],
      'D-50': ['1 location to', '1 location query error', '1 log OAuthSignInError'],
    },
    'metadata without a token endpoint': {
      'D-77': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'metadata without a userinfo endpoint': {
      'D-15': [
        '2 location',
        '2 cookie __Secure-authjs.pkce.code_verifier',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
        '2 provider POST https://idp.example/token',
      ],
    },
    'metadata with another method of PKCE': {
      'D-22': [
        '1 location query nonce',
        '1 cookie __Secure-authjs.nonce',
        '2 cookie __Secure-authjs.nonce',
        '2 event signIn profile nonce',
      ],
    },
    'a token endpoint that refuses': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token endpoint that challenges': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token response with status 201': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token response without an access token': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token response without a type': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token response of another type': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a token response without an ID token': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'a lifetime below zero': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token that is none': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token without a signature': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token of another key': {
      'D-13': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
      ],
    },
    'an ID token of another issuer': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token for another client': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token for two clients': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token that has expired': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token without an expiry': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token without a subject': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token that is not yet valid': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token with a nonce that nobody sent': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'an ID token with another nonce': {
      'D-31': ['2 cookie __Secure-authjs.nonce'],
    },
    'an ID token without the nonce': {
      'D-31': ['2 cookie __Secure-authjs.nonce'],
    },
    'userinfo of another subject': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'userinfo with another status': {
      'D-20': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
      ],
    },
    'userinfo that is a list': {
      'D-20': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError',
      ],
    },
    'a profile without an identifier': {
      'D-21': ['2 log warning account-id-missing'],
    },
    'a profile without an identifier, stored': {
      'D-21': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 adapter getUserByAccount',
        '2 adapter getUserByAccount (2)',
        '2 adapter createUser',
        '2 adapter linkAccount',
        '2 adapter createSession',
        '2 event createUser',
        '2 event linkAccount',
        '2 event signIn',
        '2 log OAuthProfileParseError',
      ],
    },
    'a `profile` callback that throws': {
      'D-25': ['2 location to', '2 location query error', '2 location query code'],
    },
    'OpenID Connect: signIn says false': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OAuth: signIn says false': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OpenID Connect: signIn says nothing': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OAuth: signIn says nothing': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OpenID Connect: signIn throws': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OAuth: signIn throws': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OpenID Connect: signIn throws an error of the service': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'OAuth: signIn throws an error of the service': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
  },
  linking: {
    'stored sessions: the address is known': {
      'D-27': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'sealed sessions: the address is known': {
      'D-27': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'stored sessions: the address is known and may link': {
      'D-27': ['2 event createUser'],
    },
    'sealed sessions: the address is known and may link': {
      'D-27': ['2 event createUser'],
    },
    'stored sessions: signed in, the account is their own': {
      'D-67': [
        '2 cookie __Secure-authjs.session-token value',
        '2 cookie __Secure-authjs.session-token attributes 0',
        '2 adapter getSessionAndUser (2)',
        '2 adapter createSession',
        '2 adapter deleteSession',
        '3 cookie __Secure-authjs.session-token value',
        '3 body expires',
        '3 event session session expires',
      ],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    'sealed sessions: signed in, the account is their own': {
      'D-68': ['1 adapter getUser'],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    "stored sessions: signed in, the account is another user's": {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    "sealed sessions: signed in, the account is another user's": {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
      'D-68': ['1 adapter getUser'],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    'stored sessions: signed in, the account is new': {
      'D-67': [
        '2 cookie __Secure-authjs.session-token value',
        '2 cookie __Secure-authjs.session-token attributes 0',
        '2 adapter getSessionAndUser (2)',
        '2 adapter createSession',
        '2 adapter deleteSession',
        '3 cookie __Secure-authjs.session-token value',
        '3 body expires',
        '3 event session session expires',
      ],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    'sealed sessions: signed in, the account is new': {
      'D-68': ['1 adapter getUser'],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    "stored sessions: signed in, the account is new and the address another user's": {
      'D-27': [
        '2 cookie __Secure-authjs.session-token value',
        '2 cookie __Secure-authjs.session-token attributes 0',
        '2 adapter getUserByAccount (2)',
        '2 adapter getUserByAccount (3)',
        '2 adapter getSessionAndUser (2)',
        '2 adapter createSession',
        '2 adapter deleteSession',
        '3 cookie __Secure-authjs.session-token value',
        '3 body expires',
        '3 event session session expires',
      ],
    },
    "sealed sessions: signed in, the account is new and the address another user's": {
      'D-27': [
        '1 adapter getUser',
        '2 adapter getUserByAccount (2)',
        '2 adapter getUserByAccount (3)',
      ],
    },
    'an expired session counts as nobody': {
      'D-35': [
        '1 adapter deleteSession',
        '2 cookie __Secure-authjs.session-token value',
        '2 cookie __Secure-authjs.session-token attributes 0',
        '2 adapter getUserByAccount (2)',
        '2 adapter getSessionAndUser (2)',
        '2 adapter getUserByEmail',
        '2 adapter createUser',
        '2 adapter getUserByAccount (3)',
        '2 adapter linkAccount userId',
        '2 adapter getSessionAndUser (3)',
        '2 adapter getSessionAndUser (4)',
        '2 adapter createSession',
        '2 event createUser',
        '2 event linkAccount user name',
        '2 event linkAccount user email',
        '2 event linkAccount user image',
        '2 event linkAccount user id',
        '2 event signIn user name',
        '2 event signIn user email',
        '2 event signIn user image',
        '2 event signIn user id',
        '2 event signIn isNewUser',
      ],
    },
    'a session of a user who is gone': {
      'D-68': ['1 adapter getUser'],
      'D-86': ['2 adapter getUserByAccount (2)', '2 adapter getUserByAccount (3)'],
    },
    'own session tokens': {
      'D-71': ['2 cookie __Secure-authjs.session-token value'],
    },
    'the store fails at getUserByAccount': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
    'the store fails at createUser': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
      'D-87': ['2 adapter getUserByAccount (3)', '2 adapter getUserByEmail (2)'],
    },
    'the store fails at linkAccount': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
      'D-87': ['2 adapter deleteUser', '2 adapter getUserByAccount (3)', '2 event createUser'],
    },
    'the store fails at createSession': {
      'D-31': ['2 cookie __Secure-authjs.pkce.code_verifier'],
    },
  },
  passkeys: {
    'options of nobody, signed in: ': {
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody new: ': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId'],
    },
    'options of somebody new, signed in: ': {
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody known: ': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
    },
    'options of somebody known, signed in: ': {
      'D-110': ['1 adapter getUser'],
    },
    'options of nobody, signed in: ?action=authenticate': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody new: ?action=authenticate': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
      'D-108': ['1 body options allowCredentials', '1 adapter getUserByEmail (2)'],
    },
    'options of somebody new, signed in: ?action=authenticate': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody known: ?action=authenticate': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
      'D-108': ['1 body options allowCredentials'],
    },
    'options of somebody known, signed in: ?action=authenticate': {
      'D-107': ['1 cookie __Secure-authjs.challenge value value user'],
      'D-110': ['1 adapter getUser'],
    },
    'options of nobody, signed in: ?action=register': {
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody new: ?action=register': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId'],
    },
    'options of somebody new, signed in: ?action=register': {
      'D-110': ['1 adapter getUser'],
    },
    'options of somebody known, signed in: ?action=register': {
      'D-110': ['1 adapter getUser'],
    },
    'options without a provider': {
      'C-07': [
        '1 status',
        '1 type',
        '1 cookie __Secure-authjs.challenge',
        '1 body',
        '1 location',
        '1 log InvalidProvider',
      ],
    },
    'options of an unknown provider': {
      'D-44': ['1 status', '1 type', '1 body', '1 location'],
    },
    'options of somebody without an address, signed in': {
      'D-110': ['1 adapter getUser'],
      'D-41': ['1 status', '1 type', '1 body', '1 location'],
    },
    'a new passkey, sealed session': {
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 event linkAccount profile id',
      ],
      'D-86': ['2 adapter getAccount', '2 adapter getUserByAccount', '2 adapter getAccount (2)'],
    },
    'a new passkey, stored session': {
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 event linkAccount profile id',
      ],
      'D-86': ['2 adapter getAccount', '2 adapter getUserByAccount', '2 adapter getAccount (2)'],
      'D-87': ['2 adapter createAuthenticator', '2 adapter createAuthenticator (2)'],
    },
    'what the callbacks are told': {
      'D-107': ['3 cookie __Secure-authjs.challenge value value user'],
      'D-110': [
        '3 adapter getUser',
        '3 callback jwt',
        '4 callback jwt token iat',
        '4 callback jwt token exp',
        '4 callback jwt token jti',
        '4 callback jwt user',
        '4 callback jwt account',
        '4 callback jwt isNewUser',
        '4 callback jwt trigger',
        '4 callback jwt (2)',
      ],
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 callback signIn user id',
        '2 event linkAccount profile id',
      ],
      'D-86': [
        '2 adapter getAccount',
        '2 adapter getUserByAccount',
        '2 adapter getAccount (2)',
        '4 adapter getUserByAccount',
      ],
    },
    'a passkey used again, sealed session': {
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 event linkAccount profile id',
      ],
      'D-86': [
        '2 adapter getAccount',
        '2 adapter getUserByAccount',
        '2 adapter getAccount (2)',
        '5 adapter getUserByAccount',
      ],
    },
    'a passkey used again, stored session': {
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 event linkAccount profile id',
      ],
      'D-86': [
        '2 adapter getAccount',
        '2 adapter getUserByAccount',
        '2 adapter getAccount (2)',
        '5 adapter getUserByAccount',
      ],
      'D-87': ['2 adapter createAuthenticator', '2 adapter createAuthenticator (2)'],
    },
    'another passkey while signed in': {
      'D-110': ['3 adapter getUser'],
      'D-38': ['2 adapter getAuthenticator', '4 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 adapter createUser id',
        '2 adapter createUser emailVerified',
        '2 event linkAccount profile id',
        '3 cookie __Secure-authjs.challenge value value registerData name',
        '3 cookie __Secure-authjs.challenge value value registerData image',
        '4 event linkAccount profile name',
        '4 event linkAccount profile image',
      ],
      'D-86': [
        '2 adapter getAccount',
        '2 adapter getUserByAccount',
        '2 adapter getAccount (2)',
        '4 adapter getAccount',
        '4 adapter getUserByAccount',
      ],
    },
    'without the cookie of the challenge': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId'],
    },
    'a passkey that nobody knows': {
      'D-31': ['2 cookie __Secure-authjs.challenge'],
      'D-40': ['2 adapter getAuthenticator'],
    },
    'signIn refuses': {
      'D-31': ['2 cookie __Secure-authjs.challenge'],
      'D-38': ['2 adapter getAuthenticator'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 callback signIn user id',
      ],
    },
    'signIn says a path': {
      'D-38': ['2 adapter getAuthenticator'],
      'D-39': [
        '2 location',
        '2 cookie __Secure-authjs.session-token',
        '2 adapter getUserByAccount',
        '2 adapter getUserByEmail',
        '2 adapter createUser',
        '2 adapter linkAccount',
        '2 adapter createAuthenticator',
        '2 event createUser',
        '2 event linkAccount',
        '2 event signIn',
      ],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId',
        '2 callback signIn user id',
      ],
    },
    'the sign-in page': {
      'D-109': ['1 body forms 0 fields 1'],
    },
  },
}
