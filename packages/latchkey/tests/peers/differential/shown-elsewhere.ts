/**
 * Departures that no scenario shows: by id, the files and in them the titles of the tests, as they are written there,
 * that fail once the departure is gone; without the threats in front of them. A path begins below the package. In
 * `tests/types`, which the compiler checks, a function is a test.
 */
export const shownElsewhere: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    'D-05': {
      'src/options/env.test.ts': ["is ${trusted ? 'given' : 'absent'} with ${JSON.stringify(env)}"],
    },
    'D-06': { 'tests/peers/environment.test.ts': ['%s %j %j %s'] },
    'D-09': {
      'src/options/secrets.test.ts': [
        'are each secret and then the joined list, or the joined list first',
        'include the joined list, so an older CSRF token is found',
      ],
    },
    'D-10': {
      'src/protocols/sealing/sealer.test.ts': [
        'tries each for a token without a key id: ${secret}',
      ],
      'src/protocols/sealing/compact-jwe.test.ts': ['compression'],
    },
    'D-14': {
      'tests/attacks/flows.test.ts': ['${url} is called neither for a token nor for a profile'],
      'tests/http/oauth-endpoints.test.ts': [
        'may not be plain elsewhere',
        'is called if the application names it: %s',
      ],
    },
    'D-34': {
      'tests/http/oauth.test.ts': [
        'of a stranger with a known address links the account if that is allowed, and creates nobody',
      ],
    },
    'D-48': {
      'src/base/errors.test.ts': [
        'that refuses has the message of its cause',
        'of text and details keeps the details',
      ],
    },
    'D-49': { 'tests/attacks/logs.test.ts': ['the log at debug level'] },
    'D-51': {
      'tests/contracts/mail-services.test.ts': [
        'send from an address of the site by default',
        'of Mailgun need a sender, and those of Loops a template',
      ],
      'tests/http/oauth.test.ts': ['requests a token with the code, the verifier and the client'],
    },
    'D-60': {
      'tests/attacks/host.test.ts': [
        'no mail and no redirect has %j if the host is not trusted',
        'no header changes the addresses of the service itself: %j',
      ],
    },
    'D-61': {
      'src/instance/site.test.ts': ['is refused with ${JSON.stringify(env)}'],
      'src/options/env.test.ts': ['is / for a bare origin'],
    },
    'D-65': {
      'src/core/compile/session-options.test.ts': [
        'with ${JSON.stringify(session)} a session is written every ${updateAge} seconds',
        'a sealed session whose token lives for an hour is written every two minutes',
      ],
    },
    'D-69': {
      'tests/http/credentials.test.ts': [
        'signs nobody in if authorize returns ${what}, which is not a user',
      ],
    },
    'D-70': {
      'tests/attacks/sessions.test.ts': [
        'do not extend a token even if a callback accepts everything',
      ],
    },
    'D-90': {
      'tests/http/email.test.ts': [
        'is not sent with ${JSON.stringify(token)}, which can be guessed',
      ],
    },
    'D-91': {
      'tests/attacks/one-time-values.test.ts': [
        'in one browser leave the last mail, and one token in the store',
      ],
    },
    'D-92': {
      'tests/http/email.test.ts': [
        'has its form only in the browser that requested it, and sets no cookie beside the CSRF token',
      ],
    },
    'D-93': {
      'tests/attacks/host.test.ts': [
        'responds to %s, with its own address',
        'refuses %s: no mail, no redirect, nothing stored',
      ],
    },
    'D-96': {
      'tests/http/oauth-endpoints.test.ts': ['that lay around for 25 hours is not'],
      'src/protocols/oauth/token-hash.test.ts': ['of a token signed with %s uses %s'],
    },
    'D-97': {
      'tests/http/oauth-endpoints.test.ts': [
        'with `max_age` refuse an authentication %s, with a named error',
        'with `requiredAcr` request those contexts, and no caller can request others',
      ],
    },
    'D-98': {
      'tests/attacks/accounts.test.ts': [
        '(%j) creates no user if mail signs people in',
        '(%j) joins nobody, for any option of the provider',
      ],
    },
    'D-99': {
      'tests/attacks/accounts.test.ts': [
        'are those of the latest sign-in, and older ones stay if it has none',
      ],
    },
    'D-120': {
      'tests/attacks/passkeys.test.ts': [
        'of another user is refused',
        'is the same for each passkey of a user, and shows no address',
      ],
      'tests/http/webauthn.test.ts': ['of a passkey whose user handle Auth.js drew signs in'],
    },
    'D-121': { 'tests/attacks/passkeys.test.ts': ['an algorithm that was not offered'] },
    'D-122': {
      'tests/attacks/passkeys.test.ts': ['from an origin that is not listed'],
    },
    'D-123': {
      'tests/attacks/passkeys.test.ts': [
        'a frame of another site',
        'another possibility of backups than before',
      ],
    },
    'D-124': {
      'tests/http/webauthn.test.ts': [
        'use an address in the form in which it is stored',
        'are refused for an invalid address',
      ],
    },
    'D-125': {
      'tests/attacks/passkeys.test.ts': [
        'a chain with a root of its own is refused while ${trusted} is trusted',
        'a missing attestation is refused, and so is a self-attestation',
      ],
    },
    'D-126': { 'tests/attacks/passkeys.test.ts': ['is refused if another site sends the form'] },
    'D-127': {
      '../server/tests/browser/passkeys.test.ts': [
        'a refused or missing one is reported, and the page still works',
      ],
    },
    'D-128': {
      'tests/http/webauthn.test.ts': [
        'allows that script and nothing else to run, and to ask this site only',
      ],
    },
    'D-140': {
      'tests/peers/catalogue.test.ts': ['%s: sends the authorization request and returns the user'],
    },
    'D-141': {
      'tests/peers/catalogue.test.ts': ['%s: sends the authorization request and returns the user'],
    },
    'D-142': { 'tests/contracts/providers.test.ts': ['is not passed on by $module'] },
    'D-143': { 'tests/peers/departures.test.ts': ['D-143: a missing part of a name is no word'] },
    'D-144': {
      'tests/contracts/providers.test.ts': [
        'accepts a profile in which any member is missing or null',
      ],
    },
    'D-145': {
      'tests/contracts/provider-options.test.ts': [
        'an issuer from the environment, for a provider that was called before',
      ],
    },
    'D-146': {
      'tests/contracts/provider-options.test.ts': [
        'with one organization refuses users of another',
        'for all organizations requires a token with the issuer of its organization',
      ],
    },
    'D-147': {
      'tests/contracts/provider-options.test.ts': [
        'uses the organization of the environment, unless the application names one',
      ],
    },
    'D-148': {
      'tests/peers/departures.test.ts': [
        'D-148: WeChat without `unionid` has the identifier of the app',
      ],
    },
    'D-149': {
      'tests/contracts/provider-options.test.ts': ['Notion: no redirect URI but our own'],
    },
    'D-150': {
      'tests/contracts/providers.test.ts': [
        'a provider that has shut down is logged once, when the configuration is compiled',
      ],
    },
    'D-151': {
      'tests/peers/departures.test.ts': [
        'D-151: a plain OAuth provider that declares itself as %s',
      ],
    },
    'D-153': {
      'tests/attacks/claimed-addresses.test.ts': [
        'goes to its true owner, who comes by mail; the passkey and its user stay',
      ],
    },
    'D-154': { 'tests/peers/auth-core.test.ts': ['are opened by Auth.js: %s'] },
    'D-155': { 'src/option-checks/validate.test.ts': ['are not ${JSON.stringify(checks)}: %s'] },
    'D-156': {
      'src/base/encoding/lower-case.test.ts': [
        'letters beyond ASCII never become those of another address',
      ],
    },
    'D-157': {
      'tests/http/pages.test.ts': [
        '${path} sets no cookie where a router asks, which shows nothing of it',
      ],
    },
    'D-160': {
      'tests/package/types.test.ts': ['name every member of a profile that Auth.js names'],
    },
    'D-164': {
      'tests/http/webauthn.test.ts': [
        'set the ambient cookies, and the challenge for a quarter of an hour',
      ],
    },
    'D-165': {
      'tests/attacks/passkeys.test.ts': ['is refused if another site sends the form'],
    },
    'D-170': {
      'tests/attacks/logs.test.ts': [
        "fills no more than 200 characters of the log, ${own ? 'through a logger of the application' : 'on the console'}",
      ],
    },
    'D-181': {
      'tests/http/programmatic.test.ts': [
        'is refused if it is a form that signs in or out (%j)',
        'is refused if a link would do more: %s',
      ],
    },
    'D-182': {
      'tests/http/programmatic.test.ts': [
        '%s leads to the sign-in page, and the log has the rest',
        'in the thrown error has no details of the inner failure',
      ],
    },
    'D-190': {
      'tests/http/oauth-endpoints.test.ts': ['begin a sign-in while the metadata cannot be read'],
    },
    'D-191': {
      'tests/http/oauth-endpoints.test.ts': [
        'with the `sub` %s is refused, also without an adapter',
      ],
    },
    'D-192': {
      'tests/http/oauth.test.ts': [
        'that cannot use ${method} is an error of the configuration, before a visitor is redirected',
      ],
    },
    'D-193': {
      'tests/http/oauth-endpoints.test.ts': [
        'with an Ed25519 key signs as %s',
        'with client_secret_jwt signs with %s, if %j is listed and %s configured',
      ],
    },
    'D-194': {
      'src/options/redacting-logger.test.ts': ['receives the documented arguments, and no other'],
    },
    'D-195': {
      'tests/contracts/uncalled-providers.test.ts': ['works, or names what is missing: %s'],
    },
    'D-196': {
      'tests/attacks/tenant-addresses.test.ts': [
        'joins nobody, and creates no user beside mail: the token %s',
        'counts as proven if one organization is configured',
      ],
    },
    'D-197': {
      'src/option-checks/secret-rules.test.ts': [
        'is refused at the start, with the command that creates one: %s',
        'of 16 to 31 characters causes a warning only, so that applications can migrate',
      ],
    },
    'D-200': {
      'tests/package/peers.test.ts': ['are named with their versions by a passkey beside %s'],
    },
    'D-201': { 'tests/package/peers.test.ts': ['latchkey/sveltekit/components'] },
    'D-210': { 'tests/types/session.ts': ['strategies'] },
    'D-211': {
      'src/verifier/jwt.test.ts': [
        'is read from the headers of Node.js, as a route of the pages directory has them',
      ],
      'tests/types/providers.ts': ['tokens'],
    },
    'D-220': { 'tests/http/pages.test.ts': ['has a form for each provider'] },
    'D-221': {
      'tests/peers/departures.test.ts': [
        'D-221: buttons of providers come first on the sign-in page',
      ],
    },
    'D-222': { 'tests/http/email.test.ts': ['is not sent to ${JSON.stringify(address)}'] },
    'D-223': { 'tests/peers/departures.test.ts': ['D-223: endpoints of %s are data, in objects'] },
    'D-224': { 'src/http/safe-url.test.ts': ['${target} becomes ${kept}'] },
    'D-225': {
      'tests/peers/departures.test.ts': [
        'D-225: the address %j of a profile is handled as declared',
      ],
    },
    'D-226': {
      'tests/peers/departures.test.ts': [
        'D-226: an update of the session calls no `redirect` callback, and sets no callback-URL cookie',
      ],
    },
    'D-227': { 'tests/http/errors.test.ts': ['sends the browser to ${at}, and is in the log'] },
    'D-228': {
      'tests/http/actions.test.ts': [
        "that returns ${JSON.stringify(answer) ?? 'nothing'} leads to the site itself",
      ],
    },
    'D-229': {
      'src/verifier/jwt.test.ts': ['fail for ${what}', 'fail for a token that has expired'],
    },
    'D-230': {
      'tests/attacks/redirects.test.ts': [
        'as the result of the `signIn` callback, which the application took from the visitor',
      ],
    },
    'D-231': {
      'tests/peers/departures.test.ts': [
        'D-231: functions that seal tokens get no `encode` and no `decode`',
      ],
    },
    'D-232': {
      'src/option-checks/validate.test.ts': ['${name} is refused in ${JSON.stringify(config)}'],
    },
    'D-233': {
      'tests/attacks/transactions.test.ts': ['keep their own targets, not that of a later one'],
    },
    'D-234': { 'src/http/cookies/csrf-token.test.ts': ['a third part'] },
    'D-235': {
      'src/option-checks/validate.test.ts': ['with a secret of bytes'],
      'src/verifier/jwt.test.ts': ['accept a secret of bytes, which is equal to its text'],
    },
    'D-236': {
      'src/verifier/jwt.test.ts': [
        'refuse to encode ${inspect(token)}, which has no claims',
        'refuse the maxAge ${String(maxAge)}, with which a token would never end',
      ],
    },
    'D-237': {
      'src/option-checks/validate.test.ts': ['without authorize'],
      'tests/contracts/mail-services.test.ts': ['needs its key, which the start checks'],
    },
    'D-238': { 'src/integrations/next.test.ts': ['no handler, page or proxy continues'] },
    'D-239': {
      'tests/attacks/claimed-addresses.test.ts': [
        'stays with a user who made a passkey after %s sign-in that proved it',
      ],
    },
    'D-255': {
      'tests/http/unknown-pages.test.ts': [
        '%s is a page with 404 in a browser, which leads to the sign-in page',
        '%s leads to the sign-in page',
      ],
    },
    'D-260': {
      'src/store/store.test.ts': ['PAIR-2: never converts an id that is not a plain number: %j'],
    },
    'D-262': {
      'src/plugins/sessions/tests/callbacks.test.ts': [
        'keeps the name of the session: it is listed, and ends with all of its user',
      ],
    },
    'D-263': {
      'src/plugins/sessions/tests/callbacks.test.ts': ['without a change writes nothing, %s'],
    },
    'D-270': { 'tests/peers/departures.test.ts': ['D-270: for OAuth and OpenID Connect'] },
    'D-271': {
      'tests/peers/catalogue.test.ts': ['%s: sends the authorization request and returns the user'],
    },
    'D-272': {
      'tests/peers/departures.test.ts': [
        'D-272: fields tell browsers what to fill in, and the keyboard to show',
      ],
    },
    'D-273': {
      'tests/peers/departures.test.ts': [
        'D-273: an error with another one as its cause has its text',
      ],
    },
    'D-274': {
      'tests/peers/departures.test.ts': [
        'D-274: an account is searched for once more before a sign-in by a known address is refused',
      ],
    },
    'D-275': { 'tests/peers/departures.test.ts': ['D-275: no mail is sent to %s'] },
    'D-276': {
      'tests/peers/departures.test.ts': [
        'D-276: classes of errors have no static `kind`, and the base has a type',
      ],
    },
    'D-277': { 'tests/peers/departures.test.ts': ['D-277: for mail'] },
    'D-278': {
      'tests/peers/departures.test.ts': [
        'D-278: an endpoint with an invalid URL fails when it is used: %s',
        'D-278: an issuer with an invalid URL fails at the start',
      ],
    },
    'D-279': {
      'tests/peers/departures.test.ts': ['D-279: `jwt.encode` that returns %j is refused'],
    },
    'D-280': {
      'tests/peers/departures.test.ts': [
        'D-280: a callback URL with a user name is replaced by the origin',
      ],
    },
    'D-281': {
      'tests/peers/catalogue.test.ts': ['%s: sends the authorization request and returns the user'],
      'tests/contracts/provider-options.test.ts': [
        'ignores a picture that cannot be loaded',
        'logs a warning for a picture that the network lost, but not for a missing one',
      ],
    },
    'D-282': { 'tests/peers/departures.test.ts': ['D-282: raw responses have a `status`'] },
    'D-283': {
      'tests/peers/departures.test.ts': [
        'D-283: `maxAge: 0` of a mail provider is a configuration error',
      ],
    },
    'D-284': {
      'tests/peers/departures.test.ts': [
        'D-284: a provider without `clientId` causes a warning, and begins no sign-in',
      ],
    },
    'D-02': { 'tests/http/actions.test.ts': ['is not modified'] },
    'D-294': { 'tests/http/sign-in-page.test.ts': ['comes first, with a mark'] },
    'D-297': {
      'tests/http/sign-in-page.test.ts': ['may continue, use another account, or sign out'],
    },
    'D-298': {
      'tests/http/sign-in-page.test.ts': [
        'the page is shown again, with what was typed but the password',
      ],
    },
    'D-299': {
      'tests/http/sign-in-page.test.ts': [
        'offers the same for every address: the password, then the mail',
      ],
    },
    'D-300': { 'tests/http/sign-in-page.test.ts': ['%s'] },
    'D-292': {
      'tests/http/refused-users.test.ts': [
        'responds with 403 and a page, and not with the sign-in page',
      ],
    },
    'D-290': {
      'tests/http/repeated-cookies.test.ts': [
        '${strategy}: is found in its valid copy, in any place',
        'is replaced if no copy can be opened',
      ],
    },
    'D-310': {
      'src/client/client.test.ts': [
        'APP-4: with a wrong password returns an error, is not ok, and changes nothing',
      ],
    },
    'D-311': {
      'src/verifier/jwt.test.ts': ['follows the address of the site: %j'],
    },
    'D-320': {
      'tests/http/arguments.test.ts': ['signIn with %s throws an error with the known ids'],
    },
    'D-314': {
      'src/client/client.test.ts': [
        'differs from the default: with %s it is that of the framework',
        'ends `loading` with an error that names both paths, and stops the requests',
      ],
    },
    'D-312': {
      'src/providers/nodemailer.test.ts': [
        'needs a server and a sender, unless the application sends itself',
      ],
    },
    'D-313': {
      'tests/http/email.test.ts': ['APP-6: the provider of mails has a sender, configured or not'],
    },
    'D-285': { 'tests/peers/departures.test.ts': ['D-285: the issuer of %s is used as it is'] },
  }
