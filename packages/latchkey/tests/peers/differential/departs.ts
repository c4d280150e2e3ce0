/**
 * By group and scenario: the departures that show in it, and in which fields: what Latchkey says,
 * and what the peer does. Long values are left out.
 */
export const departs: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>
> = {
  actions: {
    'GET providers, one of them renamed': {
      'D-166': [
        '2 status: 404 ≠ 302',
        '2 type: "text/html; charset=utf-8" ≠ null',
        '2 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '2 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'POST signin with an unknown provider': {
      'D-166': [
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'POST callback without a provider': {
      'D-166': [
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'GET callback without a provider': {
      'D-166': [
        '1 log InvalidProvider: "(absent)" ≠ "called"',
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'GET callback of an unknown provider': {
      'D-166': [
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'GET session for the first time': {
      'D-62': [
        '1 cookie __Host-authjs.csrf-token: "(absent)" ≠ {"value":"<a CSRF token and its hash>","attributes":["httponly","path=/","samesite=lax","secure"]}',
        '1 cookie __Secure-authjs.callback-url: "(absent)" ≠ {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]}',
      ],
    },
    'POST signin without any cookie': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'GET signout': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
      'D-296': [
        '1 body forms: [] ≠ [{"method":"post","action":"/auth/signout","fields":["csrfToken hidden <the CSRF token>"],"buttons":1}]',
      ],
    },
    'GET signout for the first time': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
      'D-296': [
        '1 body forms: [] ≠ [{"method":"post","action":"/auth/signout","fields":["csrfToken hidden <32 bytes in hex>"],"buttons":1}]',
      ],
    },
    'POST callback of credentials': {
      'D-37': [
        '1 location: {"to":"https://app.example/auth/error","query":{"error":"Configuration"}} ≠ "https://app.example"',
        '1 cookie __Secure-authjs.session-token',
        '1 adapter getUser: "u1" ≠ "(absent)"',
        '1 event signIn',
        '1 log AuthError: "called" ≠ "(absent)"',
      ],
    },
    'GET callback of an e-mail provider without a token': {
      'D-77': [
        '1 location query error: "Verification" ≠ "Configuration"',
        '1 log Verification: "called" ≠ "(absent)"',
        '1 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'GET error for the first time': {
      'D-76': [
        '1 cookie __Host-authjs.csrf-token: "(absent)" ≠ {"value":"<a CSRF token and its hash>","attributes":["httponly","path=/","samesite=lax","secure"]}',
        '1 cookie __Secure-authjs.callback-url: "(absent)" ≠ {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]}',
      ],
    },
    'GET verify-request': {
      'D-32': ['1 body links 0: "https://app.example/auth/signin" ≠ "https://app.example/"'],
    },
    'GET verify-request for the first time': {
      'D-32': ['1 body links 0: "https://app.example/auth/signin" ≠ "https://app.example/"'],
      'D-76': [
        '1 cookie __Host-authjs.csrf-token: "(absent)" ≠ {"value":"<a CSRF token and its hash>","attributes":["httponly","path=/","samesite=lax","secure"]}',
        '1 cookie __Secure-authjs.callback-url: "(absent)" ≠ {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]}',
      ],
    },
  },
  requests: {
    'the path /auth/callback/Password': {
      'D-166': [
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'the path /auth/callback/undefined': {
      'D-166': [
        '1 log InvalidProvider: "(absent)" ≠ "called"',
        '1 status: 404 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'cookies with other attributes': {
      'D-161': [
        '1 log warning cookie-refused: "called" ≠ "(absent)"',
        '1 log warning cookie-refused (2): "called" ≠ "(absent)"',
      ],
    },
    'the path /auth/session/': {
      'D-180': [
        '1 status: 400 ≠ 200',
        '1 body: "Bad request." ≠ null',
        '1 log UnknownAction: "called" ≠ "(absent)"',
      ],
    },
    'the path /auth//session': {
      'D-180': [
        '1 status: 400 ≠ 200',
        '1 body: "Bad request." ≠ null',
        '1 log UnknownAction: "called" ≠ "(absent)"',
      ],
    },
    'the path /auth/signin///': {
      'D-180': [
        '1 status: 400 ≠ 200',
        '1 type: "application/json" ≠ "text/html"',
        '1 body',
        '1 log UnknownAction: "called" ≠ "(absent)"',
      ],
    },
    'the path /auth/callback/passwor%64': {
      'D-180': [
        '1 status: 400 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 body: "Bad request." ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '1 log UnknownAction: "called" ≠ "(absent)"',
      ],
    },
    'the path /authsession': {
      'D-01': [
        '1 status: 400 ≠ 200',
        '1 body: "Bad request." ≠ null',
        '1 log UnknownAction: "called" ≠ "(absent)"',
      ],
    },
    "the path /providers where the base path is '/'": {
      'D-01': [
        '1 body password signinUrl: "https://app.example/signin/password" ≠ "https://app.example//signin/password"',
        '1 body password callbackUrl: "https://app.example/callback/password" ≠ "https://app.example//callback/password"',
      ],
    },
    "the path /providers where the base path is ''": {
      'D-01': [
        '1 body password signinUrl: "https://app.example/signin/password" ≠ "https://app.example//signin/password"',
        '1 body password callbackUrl: "https://app.example/callback/password" ≠ "https://app.example//callback/password"',
      ],
    },
    "the path /a/providers where the base path is '/a/'": {
      'D-01': [
        '1 body password signinUrl: "https://app.example/a/signin/password" ≠ "https://app.example/a//signin/password"',
        '1 body password callbackUrl: "https://app.example/a/callback/password" ≠ "https://app.example/a//callback/password"',
      ],
    },
    "the path /aXb/providers where the base path is '/a.b'": {
      'D-01': ['1 status: 400 ≠ 200', '1 body', '1 log UnknownAction: "called" ≠ "(absent)"'],
    },
    "the path /a+b/providers where the base path is '/a+b'": {
      'D-01': ['1 status: 200 ≠ 400', '1 body', '1 log UnknownAction: "(absent)" ≠ "called"'],
    },
    "the path /auth/providers where the base path is 'auth'": {
      'D-01': ['1 status: 200 ≠ 400', '1 body', '1 log UnknownAction: "(absent)" ≠ "called"'],
    },
    'a body: larger than a mebibyte': {
      'D-56': [
        '1 status: 400 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 cookie __Secure-authjs.session-token',
        '1 body: "Bad request." ≠ ""',
        '1 location: "(absent)" ≠ "https://app.example"',
        '1 callback authorize',
        '1 event signIn',
      ],
    },
    'a form that another site sent': {
      'D-72': [
        '1 location: {"to":"https://app.example/auth/signin","query":{"error":"MissingCSRF"}} ≠ "https://app.example"',
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 log MissingCSRF: "called" ≠ "(absent)"',
      ],
    },
    'a foreign cookie whose name begins like the session cookie': {
      'D-08': [
        '1 cookie __Secure-authjs.session-token value',
        '1 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "httponly"',
        '1 cookie __Secure-authjs.session-token attributes 1: "httponly" ≠ "max-age=0"',
        '1 cookie __Secure-authjs.session-token-x: "(absent)" ≠ {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]}',
        '1 body: {"user":{"name":"Ada","email":"ada@example.test"},"expires":"2026-12-21T12:00:00.000Z"} ≠ null',
        '1 event session',
        '1 log JWTSessionError: "(absent)" ≠ "called"',
      ],
    },
    'a left-over piece beside the session cookie': {
      'D-08': [
        '1 cookie __Secure-authjs.session-token value',
        '1 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "httponly"',
        '1 cookie __Secure-authjs.session-token attributes 1: "httponly" ≠ "max-age=0"',
        '1 body: {"user":{"name":"Ada","email":"ada@example.test"},"expires":"2026-12-21T12:00:00.000Z"} ≠ null',
        '1 event session',
        '1 log JWTSessionError: "(absent)" ≠ "called"',
        '2 cookie __Secure-authjs.session-token: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 event signOut',
      ],
    },
    'asked for the address: a page of the application': {
      'D-57': [
        '1 body url: {"to":"https://app.example/login","query":{"callbackUrl":"https://app.example"}} ≠ "/login?callbackUrl=https%3A%2F%2Fapp.example"',
      ],
    },
    'asked for the address: a configuration that cannot be used': {
      'D-32': ['2 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
  },
  'callback URLs': {
    'a `redirect` callback that allows another site': {
      'D-254': [
        '2 location: "https://app.example" ≠ "https://other.example/x"',
        '2 cookie __Secure-authjs.callback-url: {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 callback redirect: "(absent)" ≠ {"url":"https://other.example/x","baseUrl":"https://app.example"}',
      ],
    },
    "in the body: 'inbox'": {
      'D-47': [
        '1 location: "https://app.example" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 log warning callback-url-unusable: "called" ≠ "(absent)"',
      ],
    },
    "in the query: 'inbox'": {
      'D-47': [
        '1 status: 200 ≠ 500',
        '1 body forms',
        '1 log warning callback-url-unusable: "called" ≠ "(absent)"',
        '1 log InvalidCallbackUrl: "(absent)" ≠ "called"',
      ],
    },
    "in the cookie: 'inbox'": {
      'D-47': [
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 status: 302 ≠ 500',
        '1 type: null ≠ "application/json"',
        '1 location: "https://app.example" ≠ "(absent)"',
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '1 body: "" ≠ {"message":"<a message>"}',
        '1 log warning callback-url-unusable: "called" ≠ "(absent)"',
        '1 log InvalidCallbackUrl: "(absent)" ≠ "called"',
      ],
    },
    "in the body: 'javascript:alert(1)'": {
      'D-47': ['1 log warning callback-url-unusable: "called" ≠ "(absent)"'],
    },
    "in the query: 'javascript:alert(1)'": {
      'D-47': [
        '1 status: 200 ≠ 500',
        '1 body forms',
        '1 log warning callback-url-unusable: "called" ≠ "(absent)"',
        '1 log InvalidCallbackUrl: "(absent)" ≠ "called"',
      ],
    },
    "in the cookie: 'javascript:alert(1)'": {
      'D-47': [
        '1 cookie __Secure-authjs.session-token',
        '1 callback authorize',
        '1 event signIn',
        '1 status: 302 ≠ 500',
        '1 type: null ≠ "application/json"',
        '1 location: "https://app.example" ≠ "(absent)"',
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '1 body: "" ≠ {"message":"<a message>"}',
        '1 log warning callback-url-unusable: "called" ≠ "(absent)"',
        '1 log InvalidCallbackUrl: "(absent)" ≠ "called"',
      ],
    },
    'a `redirect` callback that answers with a path': {
      'D-81': [
        '1 location: "https://app.example/home" ≠ "/home"',
        '1 cookie __Secure-authjs.callback-url value: "https://app.example/home" ≠ "/home"',
      ],
    },
    'a `redirect` callback that throws': {
      'D-31': [
        '1 callback redirect (2): {"url":"/inbox","baseUrl":"https://app.example"} ≠ "(absent)"',
      ],
      'D-44': [
        '3 status: 500 ≠ 302',
        '3 type: "application/json" ≠ null',
        '3 body: {"message":"<a message>"} ≠ ""',
        '3 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
      'D-62': [
        '2 status: 200 ≠ 302',
        '2 type: "application/json" ≠ null',
        '2 body: null ≠ ""',
        '2 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 callback redirect: "(absent)" ≠ {"url":"https://app.example","baseUrl":"https://app.example"}',
      ],
    },
    'what the `redirect` callback is asked': {
      'D-62': [
        '3 callback redirect: "(absent)" ≠ {"url":"https://app.example/inbox","baseUrl":"https://app.example"}',
        '4 callback redirect: "(absent)" ≠ {"url":"https://app.example/inbox","baseUrl":"https://app.example"}',
      ],
    },
  },
  pages: {
    'the sign-in page with fields in the query': {
      'D-29': [
        '1 body forms 0 fields 0: "csrfToken hidden <the CSRF token>" ≠ "csrfToken hidden x"',
        '1 body forms 1 fields 0: "csrfToken hidden <the CSRF token>" ≠ "csrfToken hidden x"',
        '1 body forms 2 fields 0: "csrfToken hidden <the CSRF token>" ≠ "csrfToken hidden x"',
      ],
    },
    "the sign-in page with the error 'SessionRequired'": {
      'D-295': ['1 body complains: false ≠ true'],
    },
    'the sign-in page with a form without fields': {
      'D-32': ['1 body links: ["https://app.example/"] ≠ []'],
    },
    'the error page for Configuration': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
    'the error page for AccessDenied': {
      'D-32': [
        '1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ [{"to":"https://app.example/auth/error","query":{"error":"AccessDenied/signin"}}]',
      ],
    },
    'the error page for Verification': {
      'D-32': [
        '1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ [{"to":"https://app.example/auth/error","query":{"error":"Verification/signin"}}]',
      ],
    },
    'own sign-in page with a query': {
      'D-30': [
        '2 location query lang: "de" ≠ "de?error=MissingCSRF"',
        '2 location query error: "MissingCSRF" ≠ "(absent)"',
      ],
    },
    'own sign-in page elsewhere': {
      'D-30': [
        '2 location to: "https://login.example/in" ≠ "https://app.examplehttps//login.example/in"',
      ],
    },
    'own error page without an error': {
      'D-29': ['1 location: "/oops" ≠ "/oops?error=undefined"'],
    },
    'own error page with an error to encode': {
      'D-29': ['1 location: "/oops?error=a%26b%3Dc" ≠ "/oops?error=a&b=c"'],
    },
    'own error page with a query': {
      'D-30': [
        '2 location query lang: "de" ≠ "de?error=Configuration"',
        '2 location query error: "Configuration" ≠ "(absent)"',
      ],
    },
    'own pages where the built-in ones are': {
      'D-75': [
        '1 status: 403 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 body: {"forms":[],"links":["https://app.example/","https://app.example/auth/signin"],"complains":false} ≠ ""',
        '1 location: "(absent)" ≠ "/auth/error?error=AccessDenied"',
        '2 status: 200 ≠ 302',
        '2 type: "text/html; charset=utf-8" ≠ null',
        '2 body',
        '2 location: "(absent)" ≠ "/auth/signin?callbackUrl=https%3A%2F%2Fapp.example"',
      ],
    },
  },
  sessions: {
    'a token with a life of its own': {
      'D-252': ['3 log JWTSessionError: "(absent)" ≠ "called"'],
      'D-162': [
        '2 body expires: "2026-11-21T13:00:00.000Z" ≠ "2026-12-21T12:00:00.000Z"',
        '2 event session session expires: "2026-11-21T13:00:00.000Z" ≠ "2026-12-21T12:00:00.000Z"',
      ],
    },
    'stored: the store fails at sign-out': {
      'D-163': [
        '1 status: 503 ≠ 302',
        '1 type: "text/html; charset=utf-8" ≠ null',
        '1 cookie __Secure-authjs.session-token: "(absent)" ≠ {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]}',
        '1 body',
        '1 location: "(absent)" ≠ "https://app.example"',
      ],
      'D-261': ['1 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"'],
    },
    'reading, not yet due': {
      'D-63': [
        '1 cookie __Secure-authjs.session-token',
        '2 cookie __Secure-authjs.session-token',
        '2 body expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-21T13:00:00.000Z"',
        '2 event session session expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-21T13:00:00.000Z"',
        '3 event session token iat: 1795262400 ≠ 1795266000',
        '3 event session token exp: 1797854400 ≠ 1797858000',
      ],
    },
    'a `jwt` callback that throws': {
      'D-43': [
        '1 status: 500 ≠ 200',
        '1 cookie __Secure-authjs.session-token: "(absent)" ≠ {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]}',
      ],
    },
    'a `session` callback that throws': {
      'D-43': [
        '1 status: 500 ≠ 200',
        '1 cookie __Secure-authjs.session-token: "(absent)" ≠ {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]}',
      ],
    },
    update: {
      'C-04': [
        '1 callback session newSession: "{\\"name\\":\\"Augusta\\"}" ≠ "(absent)"',
        '1 callback session trigger: "update" ≠ "(absent)"',
      ],
    },
    'update as JSON': {
      'C-04': [
        '1 callback session newSession: {"name":"Augusta","list":[1]} ≠ "(absent)"',
        '1 callback session trigger: "update" ≠ "(absent)"',
      ],
    },
    'sign-out with a token that nobody made': {
      'D-103': ['1 log SignOutError: "(absent)" ≠ "called"'],
    },
    'raw: failures': {
      'D-84': ['6 raw cookies: {} ≠ "(absent)"'],
    },
    'stored: reading, not yet due': {
      'D-64': ['1 cookie __Secure-authjs.session-token'],
    },
    'stored: as the peer stores it': {
      'D-66': [
        '1 adapter getSessionAndUser (2): "a-session-token-of-ada-0123456789" ≠ "(absent)"',
        '1 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"u1","expires":"2026-12-20T12:00:00.000Z"} ≠ "(absent)"',
        '1 adapter getSessionAndUser (3): "a-session-token-of-ada-0123456789" ≠ "(absent)"',
        '1 adapter deleteSession: "a-session-token-of-ada-0123456789" ≠ "(absent)"',
      ],
    },
    'stored: what the callbacks are told': {
      'D-250': [
        '1 callback session session sessionToken: "(absent)" ≠ "a-session-token-of-ada-0123456789"',
        '2 callback session session sessionToken: "(absent)" ≠ "a-session-token-of-ada-0123456789"',
      ],
    },
    'a short life': {
      'D-252': ['3 log JWTSessionError: "(absent)" ≠ "called"'],
    },
    'a `jwt` callback that lets nobody begin one': {
      'D-253': ['1 log AccessDenied: "called" ≠ "(absent)"'],
    },
    'stored: unknown': {
      'D-66': [
        '1 adapter getSessionAndUser (2): "unknown-token-of-nobody-0123456789" ≠ "(absent)"',
        '1 adapter getSessionAndUser (3): "<hash of a session token>" ≠ "(absent)"',
      ],
    },
    'stored: the store fails while reading': {
      'D-43': ['1 status: 500 ≠ 200'],
    },
    'stored: a sealed session of before': {
      'D-66': [
        '1 adapter getSessionAndUser',
        '1 adapter getSessionAndUser (2)',
        '1 adapter getSessionAndUser (3)',
      ],
    },
  },
  credentials: {
    'a form is accepted': {
      'D-62': [
        '2 callback redirect: "(absent)" ≠ {"url":"https://app.example","baseUrl":"https://app.example"}',
      ],
    },
    'stored sessions': {
      'D-37': [
        '1 status: 302 ≠ 500',
        '1 type: null ≠ "application/json"',
        '1 location: "https://app.example" ≠ "(absent)"',
        '1 cookie __Secure-authjs.session-token',
        '1 body: "" ≠ {"message":"<a message>"}',
        '1 adapter getUser: "u1" ≠ "(absent)"',
        '1 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"u1","expires":"2026-12-21T12:00:00.000Z"} ≠ "(absent)"',
        '1 callback authorize',
        '1 event signIn',
        '1 log UnsupportedStrategy: "(absent)" ≠ "called"',
        '2 status: 200 ≠ 500',
        '2 body user: {"name":"Ada","email":"ada@example.test","image":"https://i.example/a"} ≠ "(absent)"',
        '2 body expires: "2026-12-21T12:00:00.000Z" ≠ "(absent)"',
        '2 body message: "(absent)" ≠ "<a message>"',
        '2 event session',
        '2 log UnsupportedStrategy: "(absent)" ≠ "called"',
      ],
    },
  },
  email: {
    'the link with another address': {
      'D-86': ['2 adapter getUserByEmail: "eve@example.test" ≠ "(absent)"'],
    },
    'the link when it is too old': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a new person, stored session': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a new person, sealed session': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a known person, stored session': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a known person, sealed session': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a person whose address is proven': {
      'D-28': [
        '2 adapter updateUser: "(absent)" ≠ {"id":"u1","emailVerified":"2026-11-21T12:00:00.000Z"}',
        '2 event updateUser',
        '2 event signIn user emailVerified: "2025-01-01T00:00:00.000Z" ≠ "2026-11-21T12:00:00.000Z"',
      ],
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'what the callbacks are told': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'what the callbacks are told of a new person': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'somebody else is signed in, stored session': {
      'D-67': [
        '2 adapter deleteSession: "(absent)" ≠ "a-session-token-of-eve-0123456789"',
        '2 adapter deleteSession (2): "<hash of a session token>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"',
        '2 adapter getSessionAndUser: "(absent)" ≠ "a-session-token-of-eve-0123456789"',
        '2 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"',
      ],
    },
    'the same person is signed in, stored session': {
      'D-67': ['2 adapter deleteSession: "<hash of a session token>" ≠ "(absent)"'],
      'D-86': [
        '2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"',
        '2 adapter getSessionAndUser: "(absent)" ≠ "a-session-token-of-ada-0123456789"',
        '2 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"',
      ],
    },
    'a page for new users': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'the link a second time': {
      'D-73': [
        '3 status: 200 ≠ 302',
        '3 type: "text/html; charset=utf-8" ≠ null',
        '3 body',
        '3 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Verification"}}',
        '3 adapter useVerificationToken: "(absent)" ≠ {"identifier":"ada@example.test","token":"<32 bytes in hex>"}',
        '3 log Verification: "(absent)" ≠ "called"',
      ],
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'the link with another token': {
      'D-73': [
        '2 status: 200 ≠ 302',
        '2 type: "text/html; charset=utf-8" ≠ null',
        '2 body',
        '2 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Verification"}}',
        '2 adapter useVerificationToken: "(absent)" ≠ {"identifier":"ada@example.test","token":"<32 bytes in hex>"}',
        '2 log Verification: "(absent)" ≠ "called"',
      ],
      'D-86': ['3 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'the link without its address': {
      'D-77': ['2 adapter useVerificationToken: "(absent)" ≠ {"token":"<32 bytes in hex>"}'],
    },
    'the link without its token': {
      'D-77': [
        '2 location query error: "Verification" ≠ "Configuration"',
        '2 log Verification: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'the link with another callback URL': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'the link in another browser': {
      'D-73': [
        '2 status: 200 ≠ 302',
        '2 type: "text/html; charset=utf-8" ≠ null',
        '2 cookie __Secure-authjs.session-token',
        '2 body',
        '2 location: "(absent)" ≠ "https://app.example/inbox"',
        '2 adapter useVerificationToken: "(absent)" ≠ {"identifier":"ada@example.test","token":"<32 bytes in hex>"}',
        '2 adapter getUserByEmail: "(absent)" ≠ "ada@example.test"',
        '2 adapter getUserByEmail (2): "(absent)" ≠ "ada@example.test"',
        '2 adapter updateUser: "(absent)" ≠ {"id":"u1","emailVerified":"2026-11-21T12:00:00.000Z"}',
        '2 event updateUser',
        '2 event signIn',
      ],
    },
    'the link in another browser, without confirmation': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    "the address ''": {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    "the address 'nobody'": {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    "the address 'a@b@c'": {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    "the address 'a@'": {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    "the address '@b'": {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    'the address \'"a,b"@c.test\'': {
      'D-74': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    "the address 'a@b.test,c.test'": {
      'D-74': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/verify-request"',
        '1 location query error: "EmailSignin" ≠ "(absent)"',
        '1 location query provider: "(absent)" ≠ "mail"',
        '1 location query type: "(absent)" ≠ "email"',
        '1 adapter getUserByEmail: "(absent)" ≠ "a@b.test"',
        '1 adapter createVerificationToken: "(absent)" ≠ {"identifier":"a@b.test","token":"<32 bytes in hex>","expires":"2026-11-21T12:10:00.000Z"}',
        '1 callback sendVerificationRequest',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
        '1 mail link',
      ],
    },
    'own token': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'own secret': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'a mail server that is down': {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a store that fails': {
      'D-26': ['1 callback sendVerificationRequest', '1 mail link'],
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'signIn refuses at the request': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'signIn throws at the request': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'signIn throws an error of the service at the request': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-53': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "OAuthAccountNotLinked" ≠ "AccessDenied"',
        '1 log OAuthAccountNotLinked: "called" ≠ "(absent)"',
        '1 log AccessDenied: "(absent)" ≠ "called"',
      ],
    },
    'the link as a form of nobody': {
      'D-73': [
        '2 status: 200 ≠ 302',
        '2 type: "text/html; charset=utf-8" ≠ null',
        '2 cookie __Secure-authjs.session-token',
        '2 body',
        '2 location: "(absent)" ≠ "https://app.example/inbox"',
        '2 adapter useVerificationToken: "(absent)" ≠ {"identifier":"ada@example.test","token":"<32 bytes in hex>"}',
        '2 adapter getUserByEmail: "(absent)" ≠ "ada@example.test"',
        '2 adapter getUserByEmail (2): "(absent)" ≠ "ada@example.test"',
        '2 adapter updateUser: "(absent)" ≠ {"id":"u1","emailVerified":"2026-11-21T12:00:00.000Z"}',
        '2 event updateUser',
        '2 event signIn',
      ],
    },
    'asked for as JSON': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'an address that is no text': {
      'D-27': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "EmailSignin" ≠ "Configuration"',
        '1 log EmailSignInError: "called" ≠ "(absent)"',
      ],
    },
    'signIn refuses at the link': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
    'signIn says a path at the link': {
      'D-86': ['2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"'],
    },
  },
  configuration: {
    'no providers': {
      'D-32': ['2 body links: ["https://app.example/"] ≠ []'],
    },
    'credentials alone with stored sessions': {
      'D-37': [
        '1 status: 200 ≠ 500',
        '1 body: null ≠ {"message":"<a message>"}',
        '1 log UnsupportedStrategy: "(absent)" ≠ "called"',
      ],
    },
    'an adapter with the methods for mail alone': {
      'D-106': ['1 log warning adapter-methods-missing: "called" ≠ "(absent)"'],
    },
    'a provider that throws': {
      'D-04': [
        '1 status: 500 ≠ 0',
        '1 type: "application/json" ≠ "(absent)"',
        '1 cache: "private, no-cache, no-store 0 no-cache" ≠ "(absent)"',
        '1 cookie: {} ≠ "(absent)"',
        '1 body: {"message":"<a message>"} ≠ "(absent)"',
        '1 raw: "(absent)" ≠ "Error"',
      ],
    },
    'a provider of an unknown type': {
      'D-104': [
        '1 status: 500 ≠ 200',
        '1 body message: "<a message>" ≠ "(absent)"',
        '1 body csrfToken: "(absent)" ≠ "<the CSRF token>"',
      ],
    },
    'two providers with one id': {
      'D-46': [
        '1 body acme name: "First" ≠ "Second"',
        '1 log warning duplicate-provider-id: "called" ≠ "(absent)"',
      ],
    },
    'answered: GET /auth/signin': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
    'answered: GET /auth/signout': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
    'answered: GET /auth/error': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
    'answered: GET /auth/verify-request': {
      'D-32': ['1 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []'],
    },
    'answered on the own error page': {
      'D-32': [
        '4 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []',
        '5 body links: ["https://app.example/","https://app.example/auth/signin"] ≠ []',
      ],
    },
  },
  oauth: {
    'parameters of the authorization endpoint': {
      'D-12': [
        '1 provider GET https://idp.example/.well-known/openid-configuration: {"authorization":null} ≠ "(absent)"',
      ],
    },
    'an OAuth provider with an issuer alone': {
      'D-17': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
        '2 provider GET https://idp.example/userinfo: {"authorization":"Bearer the-access-token"} ≠ "(absent)"',
      ],
    },
    'parameters in the query of the sign-in that bind it': {
      'D-19': [
        '1 location query response_type: "code" ≠ "token"',
        '1 location query client_id: "the-client" ≠ "x"',
        '1 location query redirect_uri: "https://app.example/auth/callback/acme" ≠ "https://evil.example"',
        '1 location query callbackUrl: "(absent)" ≠ "/a"',
        '1 location query csrfToken: "(absent)" ≠ "b"',
      ],
    },
    'a client without a secret': {
      'D-18': [
        '2 provider POST https://idp.example/token authorization: null ≠ "Basic dGhlLWNsaWVudDp1bmRlZmluZWQ="',
        '2 provider POST https://idp.example/token form client_id: "the-client" ≠ "(absent)"',
      ],
    },
    'OAuth with an ID token that nobody asked for': {
      'D-17': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
        '2 provider GET https://idp.example/userinfo: {"authorization":"Bearer the-access-token"} ≠ "(absent)"',
      ],
    },
    'a profile by a request of its own': {
      'D-101': ['2 event signIn account providerAccountId: "7" ≠ 7'],
    },
    'own `profile` and `account` callbacks': {
      'D-88': ['2 callback account', '2 callback account (2)'],
    },
    'a provider that posts back': {
      'D-12': [
        '1 provider GET https://idp.example/.well-known/openid-configuration: {"authorization":null} ≠ "(absent)"',
      ],
      'D-23': [
        '2 cookie __Secure-authjs.state attributes 3: "samesite=none" ≠ "samesite=lax"',
        '2 cookie __Secure-authjs.nonce attributes 3: "samesite=none" ≠ "samesite=lax"',
      ],
    },
    'an answer in a body that belongs into the query': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-83': [
        '2 log InvalidCheck: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'a provider that posts back, in a browser that keeps to SameSite': {
      'D-12': [
        '1 provider GET https://idp.example/.well-known/openid-configuration: {"authorization":null} ≠ "(absent)"',
      ],
      'D-23': [
        '1 cookie __Secure-authjs.pkce.code_verifier attributes 4: "samesite=none" ≠ "samesite=lax"',
        '2 location: "https://app.example/inbox" ≠ "https://app.example"',
        '2 cookie __Secure-authjs.state attributes 3: "samesite=none" ≠ "samesite=lax"',
        '2 cookie __Secure-authjs.pkce.code_verifier attributes 3: "samesite=none" ≠ "samesite=lax"',
      ],
    },
    'options with other checks than the description': {
      'D-55': [
        '1 location query state',
        '1 cookie __Secure-authjs.state',
        '2 cookie __Secure-authjs.state: "(absent)" ≠ {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]}',
      ],
    },
    'another algorithm of ID tokens than the one configured': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a client that wants to know when people were authenticated: null': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a client that wants to know when people were authenticated: 1795200000': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token request of its own': {
      'D-16': [
        '2 callback jwt account access_token: "own" ≠ "the-access-token"',
        '2 callback jwt account expires_in: "(absent)" ≠ 3600',
        '2 callback jwt account refresh_token: "(absent)" ≠ "the-refresh-token"',
        '2 callback jwt account scope: "(absent)" ≠ "openid profile email"',
        '2 callback jwt account expires_at: "(absent)" ≠ 1795266000',
        '2 event signIn account access_token: "own" ≠ "the-access-token"',
        '2 event signIn account expires_in: "(absent)" ≠ 3600',
        '2 event signIn account refresh_token: "(absent)" ≠ "the-refresh-token"',
        '2 event signIn account scope: "(absent)" ≠ "openid profile email"',
        '2 event signIn account expires_at: "(absent)" ≠ 1795266000',
        '2 provider POST https://idp.example/oauth/token',
        '2 provider GET https://idp.example/userinfo authorization: "Bearer own" ≠ "Bearer the-access-token"',
      ],
    },
    'asked for the address at a callback that is refused': {
      'D-27': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'several secrets': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a redirect proxy that hands over to a deployment, for another provider': {
      'D-24': [
        '1 location to: "https://app.example/auth/error" ≠ "https://preview.example/auth/callback/other"',
        '1 location query error: "Configuration" ≠ "(absent)"',
        '1 location query code: "(absent)" ≠ "the-code"',
        '1 location query state',
        '1 log InvalidCheck: "called" ≠ "(absent)"',
      ],
    },
    'a redirect proxy that hands over to another address': {
      'D-24': [
        '1 location to: "https://app.example/auth/error" ≠ "https://evil.example/"',
        '1 location query error: "Configuration" ≠ "(absent)"',
        '1 location query code: "(absent)" ≠ "the-code"',
        '1 location query state',
        '1 log InvalidCheck: "called" ≠ "(absent)"',
      ],
    },
    'a redirect proxy that hands over to a script': {
      'D-24': ['1 location', '1 log InvalidCheck: "called" ≠ "(absent)"'],
    },
    'a redirect proxy that is no address': {
      'D-111': [
        '1 status: 500 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 body: {"message":"<a message>"} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '1 log AuthError: "called" ≠ "(absent)"',
        '2 status: 500 ≠ 200',
        '2 body: {"message":"<a message>"} ≠ null',
        '2 log AuthError: "called" ≠ "(absent)"',
      ],
    },
    'another state': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-83': [
        '2 log InvalidCheck: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'no state': {
      'D-83': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 log InvalidCheck: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'no code': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'another issuer': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a refusal': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a refusal without the state': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-83': [
        '2 log InvalidCheck: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'an answer of the hybrid flow': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a signed answer': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'two codes': {
      'D-54': [
        '2 location: {"to":"https://app.example/auth/error","query":{"error":"Configuration"}} ≠ "https://app.example/inbox"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "called" ≠ "(absent)"',
        '2 provider POST https://idp.example/token',
      ],
    },
    'two states': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-83': [
        '2 log InvalidCheck: "called" ≠ "(absent)"',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
      ],
    },
    'no state cookie': {
      'D-83': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck: "(absent)" ≠ "called"',
        '2 provider POST https://idp.example/token',
      ],
    },
    'no pkce.code_verifier cookie': {
      'D-83': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck: "(absent)" ≠ "called"',
        '2 provider POST https://idp.example/token',
      ],
    },
    'no nonce cookie': {
      'D-83': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log InvalidCheck: "(absent)" ≠ "called"',
      ],
    },
    'too late': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'at another provider of the application': {
      'D-31': [
        '2 cookie __Secure-authjs.state: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a provider that is down': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-50': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "OAuthSignin" ≠ "Configuration"',
        '1 log OAuthSignInError: "called" ≠ "(absent)"',
      ],
    },
    'metadata with another status': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-50': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "OAuthSignin" ≠ "Configuration"',
        '1 log OAuthSignInError: "called" ≠ "(absent)"',
        '1 log OperationProcessingError: "(absent)" ≠ "called"',
      ],
    },
    'metadata of another issuer': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-50': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "OAuthSignin" ≠ "Configuration"',
        '1 log OAuthSignInError: "called" ≠ "(absent)"',
        '1 log OperationProcessingError: "(absent)" ≠ "called"',
      ],
    },
    'metadata without an authorization endpoint': {
      'D-31': [
        '1 cookie __Secure-authjs.callback-url: {"value":"https://app.example/inbox","attributes":["httponly","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-50': [
        '1 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/error"',
        '1 location query error: "OAuthSignin" ≠ "Configuration"',
        '1 log OAuthSignInError: "called" ≠ "(absent)"',
      ],
    },
    'metadata without a token endpoint': {
      'D-77': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'metadata without a userinfo endpoint': {
      'D-15': [
        '2 location: "https://app.example/inbox" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "(absent)" ≠ "called"',
        '2 provider POST https://idp.example/token',
      ],
    },
    'metadata with another method of PKCE': {
      'D-22': [
        '1 location query nonce: "<32 bytes in base64url>" ≠ "(absent)"',
        '1 cookie __Secure-authjs.nonce',
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
        '2 event signIn profile nonce: "<32 bytes in base64url>" ≠ "(absent)"',
      ],
    },
    'a token endpoint that refuses': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token endpoint that challenges': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token response with status 201': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token response without an access token': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token response without a type': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token response of another type': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a token response without an ID token': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'a lifetime below zero': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token that is none': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token without a signature': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token of another key': {
      'D-13': [
        '2 location: {"to":"https://app.example/auth/error","query":{"error":"Configuration"}} ≠ "https://app.example/inbox"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "called" ≠ "(absent)"',
      ],
    },
    'an ID token of another issuer': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token for another client': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token for two clients': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token that has expired': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token without an expiry': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token without a subject': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token that is not yet valid': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token with a nonce that nobody sent': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token with another nonce': {
      'D-31': [
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'an ID token without the nonce': {
      'D-31': [
        '2 cookie __Secure-authjs.nonce: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'userinfo of another subject': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'userinfo with another status': {
      'D-20': [
        '2 location: {"to":"https://app.example/auth/error","query":{"error":"Configuration"}} ≠ "https://app.example/inbox"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "called" ≠ "(absent)"',
      ],
    },
    'userinfo that is a list': {
      'D-20': [
        '2 location: {"to":"https://app.example/auth/error","query":{"error":"Configuration"}} ≠ "https://app.example/inbox"',
        '2 cookie __Secure-authjs.session-token',
        '2 event signIn',
        '2 log CallbackRouteError: "called" ≠ "(absent)"',
      ],
    },
    'a profile without an identifier': {
      'D-21': ['2 log warning account-id-missing: "called" ≠ "(absent)"'],
    },
    'a profile without an identifier, stored': {
      'D-21': [
        '2 location: {"to":"https://app.example/auth/signin","query":{"error":"OAuthCallbackError"}} ≠ "https://app.example/inbox"',
        '2 cookie __Secure-authjs.session-token',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<uuid>","provider":"plain"}',
        '2 adapter getUserByAccount (2): "(absent)" ≠ {"providerAccountId":"<uuid>","provider":"plain"}',
        '2 adapter createUser: "(absent)" ≠ {"id":"<uuid>","name":"Ada","emailVerified":null}',
        '2 adapter linkAccount',
        '2 adapter createSession: "(absent)" ≠ {"sessionToken":"<uuid>","userId":"<uuid>","expires":"2026-12-21T12:00:00.000Z"}',
        '2 event createUser: "(absent)" ≠ {"user":{"name":"Ada","email":null,"emailVerified":null,"image":null,"id":"<uuid>"}}',
        '2 event linkAccount',
        '2 event signIn',
        '2 log OAuthProfileParseError: "called" ≠ "(absent)"',
      ],
    },
    'a `profile` callback that throws': {
      'D-25': [
        '2 location to: "https://app.example/auth/signin" ≠ "https://app.example/auth/callback/acme"',
        '2 location query error: "OAuthCallbackError" ≠ "(absent)"',
        '2 location query code: "(absent)" ≠ "the-code/signin"',
      ],
    },
    'OpenID Connect: signIn says false': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OAuth: signIn says false': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OpenID Connect: signIn says nothing': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OAuth: signIn says nothing': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OpenID Connect: signIn throws': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OAuth: signIn throws': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OpenID Connect: signIn throws an error of the service': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'OAuth: signIn throws an error of the service': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
  },
  linking: {
    'stored sessions: the address is known': {
      'D-86': [
        '2 adapter getUserByAccount (3): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
      ],
      'D-27': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'sealed sessions: the address is known': {
      'D-86': [
        '2 adapter getUserByAccount (3): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
      ],
      'D-27': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'stored sessions: the address is known and may link': {
      'D-27': [
        '2 event createUser: "(absent)" ≠ {"user":{"name":"Ada","email":"ada@example.test","emailVerified":null,"image":null,"id":"u1"}}',
      ],
    },
    'sealed sessions: the address is known and may link': {
      'D-27': [
        '2 event createUser: "(absent)" ≠ {"user":{"name":"Ada","email":"ada@example.test","emailVerified":null,"image":null,"id":"u1"}}',
      ],
    },
    'stored sessions: signed in, the account is their own': {
      'D-67': [
        '2 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '2 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "expires=sun, 20 dec 2026 12:00:00 gmt"',
        '2 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"u1","expires":"2026-12-21T12:00:00.000Z"} ≠ "(absent)"',
        '2 adapter deleteSession: "<hash of a session token>" ≠ "(absent)"',
        '3 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '3 body expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
        '3 event session session expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
      ],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    'sealed sessions: signed in, the account is their own': {
      'D-68': ['1 adapter getUser: "u1" ≠ "(absent)"'],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    "stored sessions: signed in, the account is another user's": {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    "sealed sessions: signed in, the account is another user's": {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-68': ['1 adapter getUser: "u1" ≠ "(absent)"'],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    'stored sessions: signed in, the account is new': {
      'D-67': [
        '2 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '2 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "expires=sun, 20 dec 2026 12:00:00 gmt"',
        '2 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"u1","expires":"2026-12-21T12:00:00.000Z"} ≠ "(absent)"',
        '2 adapter deleteSession: "<hash of a session token>" ≠ "(absent)"',
        '3 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '3 body expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
        '3 event session session expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
      ],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    'sealed sessions: signed in, the account is new': {
      'D-68': ['1 adapter getUser: "u1" ≠ "(absent)"'],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    "stored sessions: signed in, the account is new and the address another user's": {
      'D-27': [
        '2 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '2 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "expires=sun, 20 dec 2026 12:00:00 gmt"',
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
        '2 adapter getSessionAndUser (2): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"u2","expires":"2026-12-21T12:00:00.000Z"} ≠ "(absent)"',
        '2 adapter deleteSession: "<hash of a session token>" ≠ "(absent)"',
        '3 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '3 body expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
        '3 event session session expires: "2026-12-21T12:00:00.000Z" ≠ "2026-12-20T12:00:00.000Z"',
      ],
    },
    "sealed sessions: signed in, the account is new and the address another user's": {
      'D-27': [
        '1 adapter getUser: "u2" ≠ "(absent)"',
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    'an expired session counts as nobody': {
      'D-35': [
        '1 adapter deleteSession: "<hash of a session token>" ≠ "(absent)"',
        '2 cookie __Secure-authjs.session-token value: "<32 bytes in base64url>" ≠ "a-session-token-0123456789-0123456789"',
        '2 cookie __Secure-authjs.session-token attributes 0: "expires=mon, 21 dec 2026 12:00:00 gmt" ≠ "expires=sat, 21 nov 2026 11:59:50 gmt"',
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getSessionAndUser (2): "a-session-token-0123456789-0123456789" ≠ "(absent)"',
        '2 adapter getUserByEmail: "ada@example.test" ≠ "(absent)"',
        '2 adapter createUser',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
        '2 adapter linkAccount userId: "<uuid>" ≠ "u2"',
        '2 adapter getSessionAndUser (3): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter getSessionAndUser (4): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter getSessionAndUser (5): "a-session-token-0123456789-0123456789" ≠ "(absent)"',
        '2 adapter getSessionAndUser (6): "<hash of a session token>" ≠ "(absent)"',
        '2 adapter createSession: {"sessionToken":"<hash of a session token>","userId":"<uuid>","expires":"2026-12-21T12:00:00.000Z"} ≠ "(absent)"',
        '2 event createUser',
        '2 event linkAccount user name: "Ada Lovelace" ≠ "Eve"',
        '2 event linkAccount user email: "ada@example.test" ≠ "eve@example.test"',
        '2 event linkAccount user image: "https://idp.example/ada.png" ≠ null',
        '2 event linkAccount user id: "<uuid>" ≠ "u2"',
        '2 event signIn user name: "Ada Lovelace" ≠ "Eve"',
        '2 event signIn user email: "ada@example.test" ≠ "eve@example.test"',
        '2 event signIn user image: "https://idp.example/ada.png" ≠ null',
        '2 event signIn user id: "<uuid>" ≠ "u2"',
        '2 event signIn isNewUser: true ≠ false',
      ],
    },
    'a session of a user who is gone': {
      'D-68': ['1 adapter getUser: "gone" ≠ "(absent)"'],
      'D-86': [
        '2 adapter getUserByAccount (2): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByAccount (3): "(absent)" ≠ {"providerAccountId":"idp-7","provider":"acme"}',
      ],
    },
    'own session tokens': {
      'D-71': [
        '2 cookie __Secure-authjs.session-token value: "own-session-token-number-3" ≠ "own-session-token-number-1"',
      ],
    },
    'the store fails at getUserByAccount': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
    'the store fails at createUser': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-87': [
        '2 adapter getUserByAccount (3): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 adapter getUserByEmail (2): "ada@example.test" ≠ "(absent)"',
        '2 adapter getUser: "<uuid>" ≠ "(absent)"',
      ],
    },
    'the store fails at linkAccount': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-87': [
        '2 adapter deleteUser: "<uuid>" ≠ "(absent)"',
        '2 adapter getUserByAccount (3): {"provider":"acme","providerAccountId":"idp-7"} ≠ "(absent)"',
        '2 event createUser',
      ],
    },
    'the store fails at createSession': {
      'D-31': [
        '2 cookie __Secure-authjs.pkce.code_verifier: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
    },
  },
  passkeys: {
    'not enabled': {
      'D-293': [
        '1 status: 200 ≠ 500',
        '1 cookie __Secure-authjs.challenge',
        '1 body action: "authenticate" ≠ "(absent)"',
        '1 body options: {"rpId":"app.example","challenge":"<32 bytes in base64url>","timeout":300000,"userVerification":"required"} ≠ "(absent)"',
        '1 body message: "(absent)" ≠ "<a message>"',
        '1 log ExperimentalFeatureNotEnabled: "(absent)" ≠ "called"',
      ],
    },
    'options of nobody, signed in: ': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody new: ': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"'],
    },
    'options of somebody new, signed in: ': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody known: ': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
    },
    'options of somebody known, signed in: ': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of nobody, signed in: ?action=authenticate': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody new: ?action=authenticate': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-108': [
        '1 body options allowCredentials: [{"id":"<32 bytes in base64url>","transports":["hybrid","internal"],"type":"public-key"}] ≠ "(absent)"',
        '1 adapter getUserByEmail (2): "new@example.test" ≠ "(absent)"',
      ],
    },
    'options of somebody new, signed in: ?action=authenticate': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody known: ?action=authenticate': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-108': [
        '1 body options allowCredentials: [{"id":"<32 bytes in base64url>","transports":["internal"],"type":"public-key"}] ≠ []',
      ],
    },
    'options of somebody known, signed in: ?action=authenticate': {
      'D-107': [
        '1 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of nobody, signed in: ?action=register': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody new: ?action=register': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"'],
    },
    'options of somebody new, signed in: ?action=register': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options of somebody known, signed in: ?action=register': {
      'D-110': ['1 adapter getUser: "u1" ≠ "(absent)"'],
    },
    'options without a provider': {
      'C-07': [
        '1 status: 200 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 cookie __Secure-authjs.challenge',
        '1 body',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
        '1 log InvalidProvider: "(absent)" ≠ "called"',
      ],
    },
    'options of an unknown provider': {
      'D-44': [
        '1 status: 400 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 body: {"error":"There is no passkey provider with this id"} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'options of somebody without an address, signed in': {
      'D-110': ['1 adapter getUser: "u2" ≠ "(absent)"'],
      'D-41': [
        '1 status: 400 ≠ 302',
        '1 type: "application/json" ≠ null',
        '1 body: {"error":"Invalid request"} ≠ ""',
        '1 location: "(absent)" ≠ {"to":"https://app.example/auth/error","query":{"error":"Configuration"}}',
      ],
    },
    'a new passkey, sealed session': {
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
      ],
    },
    'a new passkey, stored session': {
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
      ],
      'D-87': ['2 adapter createAuthenticator', '2 adapter createAuthenticator (2)'],
    },
    'what the callbacks are told': {
      'D-107': [
        '3 cookie __Secure-authjs.challenge value value user: "<32 bytes in hex>" ≠ "(absent)"',
      ],
      'D-110': [
        '3 adapter getUser: "<uuid>" ≠ "(absent)"',
        '3 callback jwt',
        '4 callback jwt token iat: 1795262400 ≠ "(absent)"',
        '4 callback jwt token exp: 1797854400 ≠ "(absent)"',
        '4 callback jwt token jti: "<uuid>" ≠ "(absent)"',
        '4 callback jwt user: "(absent)" ≠ {"name":null,"email":"ada@example.test","emailVerified":null,"image":null,"id":"<uuid>"}',
        '4 callback jwt account',
        '4 callback jwt isNewUser: "(absent)" ≠ false',
        '4 callback jwt trigger: "(absent)" ≠ "signIn"',
        '4 callback jwt (2)',
      ],
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 callback signIn user id: "<uuid>" ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '4 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
      ],
    },
    'a passkey used again, sealed session': {
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '5 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
      ],
    },
    'a passkey used again, stored session': {
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '5 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
      ],
      'D-87': ['2 adapter createAuthenticator', '2 adapter createAuthenticator (2)'],
    },
    'another passkey while signed in': {
      'D-110': ['3 adapter getUser: "<uuid>" ≠ "(absent)"'],
      'D-38': [
        '2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"',
        '4 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"',
      ],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser id: "<uuid>" ≠ "(absent)"',
        '2 adapter createUser emailVerified: null ≠ "(absent)"',
        '2 event linkAccount profile id: "<uuid>" ≠ "(absent)"',
        '3 cookie __Secure-authjs.challenge value value registerData name: "(absent)" ≠ null',
        '3 cookie __Secure-authjs.challenge value value registerData image: "(absent)" ≠ null',
        '4 event linkAccount profile name: "(absent)" ≠ null',
        '4 event linkAccount profile image: "(absent)" ≠ null',
      ],
      'D-86': [
        '2 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getAccount (2): ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '4 adapter getAccount: ["<32 bytes in base64>","passkey"] ≠ "(absent)"',
        '4 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
      ],
    },
    'without the cookie of the challenge': {
      'D-42': ['1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"'],
    },
    'a passkey that nobody knows': {
      'D-31': [
        '2 cookie __Secure-authjs.challenge: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-40': ['2 adapter getAuthenticator: "(absent)" ≠ "AAAA"'],
    },
    'signIn refuses': {
      'D-31': [
        '2 cookie __Secure-authjs.challenge: {"value":"","attributes":["httponly","max-age=0","path=/","samesite=lax","secure"]} ≠ "(absent)"',
      ],
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 callback signIn user id: "<uuid>" ≠ "(absent)"',
      ],
    },
    'signIn says a path': {
      'D-38': ['2 adapter getAuthenticator: "<32 bytes in base64>" ≠ "(absent)"'],
      'D-39': [
        '2 location: "https://app.example/detour" ≠ "https://app.example"',
        '2 cookie __Secure-authjs.session-token',
        '2 adapter getUserByAccount: "(absent)" ≠ {"providerAccountId":"<32 bytes in base64>","provider":"passkey"}',
        '2 adapter getUserByEmail: "(absent)" ≠ "ada@example.test"',
        '2 adapter createUser: "(absent)" ≠ {"email":"ada@example.test"}',
        '2 adapter linkAccount',
        '2 adapter createAuthenticator',
        '2 event createUser: "(absent)" ≠ {"user":{"name":null,"email":"ada@example.test","emailVerified":null,"image":null,"id":"<uuid>"}}',
        '2 event linkAccount',
        '2 event signIn',
      ],
      'D-42': [
        '1 cookie __Secure-authjs.challenge value value newUserId: "<uuid>" ≠ "(absent)"',
        '2 callback signIn user id: "<uuid>" ≠ "(absent)"',
      ],
    },
    'the sign-in page': {
      'D-109': ['1 body forms 0 fields 1: "email email" ≠ "email text"'],
    },
  },
}
