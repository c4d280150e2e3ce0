/**
 * Departures that no scenario shows: by id, the files and in them the titles of the tests, as they are written there,
 * that fail once the departure is gone; without the threats in front of them. A path begins below the package. In
 * `tests/types`, which the compiler checks, a function is a test.
 */
export const shownElsewhere: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    'D-05': {
      'src/options/env.test.ts': ["with ${JSON.stringify(env)}: ${trusted ? 'yes' : 'no'}"],
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
        'a token without a key id is tried with each: ${secret}',
      ],
      'src/protocols/sealing/compact-jwe.test.ts': ['compression'],
    },
    'D-14': {
      'tests/attacks/flows.test.ts': ['${url} is asked neither for a token nor for a profile'],
      'tests/http/oauth-endpoints.test.ts': [
        'may not be plain elsewhere',
        'is asked when the application names it: %s',
      ],
    },
    'D-34': {
      'tests/http/oauth.test.ts': [
        'of a stranger with a known address, where that is allowed: linked, and nobody is created',
      ],
    },
    'D-48': {
      'src/base/errors.test.ts': [
        'that refuses has the message of what made it',
        'of text and details keeps the details',
      ],
    },
    'D-49': { 'tests/attacks/logs.test.ts': ['the log at debug level'] },
    'D-51': {
      'tests/contracts/mail-services.test.ts': [
        'send from the site itself where nothing else is said',
        'of Mailgun need a sender, and those of Loops a template',
      ],
      'tests/http/oauth.test.ts': ['asks for a token with the code, the verifier and the client'],
    },
    'D-60': {
      'tests/attacks/host.test.ts': [
        'where the host is not trusted, %j gets no mail and no redirect',
        'the service itself reads no header: %j',
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
        'signs nobody in when authorize gives ${what}, which is no user',
      ],
    },
    'D-70': {
      'tests/attacks/sessions.test.ts': [
        'do not make a token live longer where a callback takes everything',
      ],
    },
    'D-90': {
      'tests/http/email.test.ts': [
        'is not sent with ${JSON.stringify(token)}, which can be guessed',
      ],
    },
    'D-91': {
      'tests/attacks/one-time-values.test.ts': [
        'in one browser leaves the last mail, and one token in the store',
      ],
    },
    'D-92': {
      'tests/http/email.test.ts': [
        'is asked for where it was asked for only, and sets no cookie beside the CSRF token',
      ],
    },
    'D-93': {
      'tests/attacks/host.test.ts': [
        '%s is answered, and says its own address',
        '%s is refused: no mail, no redirect, nothing stored',
      ],
    },
    'D-96': {
      'tests/http/oauth-endpoints.test.ts': ['that lay around for 25 hours is not'],
      'src/protocols/oauth/token-hash.test.ts': ['of a token signed with %s is one of %s'],
    },
    'D-97': {
      'tests/http/oauth-endpoints.test.ts': [
        'with `max_age` refuse an authentication %s by a name',
        'with `requiredAcr` ask for those contexts, and no caller asks for others',
      ],
    },
    'D-98': {
      'tests/attacks/accounts.test.ts': [
        '(%j) makes no user where mail signs people in',
        '(%j) joins nobody, for any option of the provider',
      ],
    },
    'D-99': {
      'tests/attacks/accounts.test.ts': [
        'are those of the latest sign-in; what it did not bring stays',
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
        'no attestation is refused, and one of the credential itself',
      ],
    },
    'D-126': { 'tests/attacks/passkeys.test.ts': ['is refused when another site sends the form'] },
    'D-127': {
      '../server/tests/browser/passkeys.test.ts': [
        'one that is refused or missing is reported, and the page goes on to work',
      ],
    },
    'D-128': {
      'tests/http/webauthn.test.ts': [
        'allows that script and nothing else to run, and to ask this site only',
      ],
    },
    'D-140': {
      'tests/peers/catalogue.test.ts': ['%s: the authorization request, and who signed in'],
    },
    'D-141': {
      'tests/peers/catalogue.test.ts': ['%s: the authorization request, and who signed in'],
    },
    'D-142': { 'tests/contracts/providers.test.ts': ['is not handed on by $module'] },
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
        'for one organization nobody of another signs in',
        'for all organizations a token must name the issuer of its own',
      ],
    },
    'D-147': {
      'tests/contracts/provider-options.test.ts': [
        'the organization that the environment names is the one, unless the application names one',
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
      'tests/peers/departures.test.ts': ['D-151: a plain OAuth provider that says it is %s'],
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
        'no letter beyond ASCII becomes one of another address',
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
      'tests/attacks/passkeys.test.ts': ['is refused when another site sends the form'],
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
      'tests/http/oauth-endpoints.test.ts': ['with a `sub` %s is refused, also without an adapter'],
    },
    'D-192': {
      'tests/http/oauth.test.ts': [
        'that cannot use ${method} is a fault of the configuration, before anybody is sent away',
      ],
    },
    'D-193': {
      'tests/http/oauth-endpoints.test.ts': [
        'with an Ed25519 key signs as %s',
        'with client_secret_jwt signs with %s, where %j is listed and %s configured',
      ],
    },
    'D-194': {
      'src/options/redacting-logger.test.ts': ['gets the documented arguments, and no other'],
    },
    'D-195': {
      'tests/contracts/uncalled-providers.test.ts': ['works, or says what is missing: %s'],
    },
    'D-196': {
      'tests/attacks/tenant-addresses.test.ts': [
        'joins nobody, and makes no user beside mail: the token %s',
        'counts as proven where one organization is configured',
      ],
    },
    'D-197': {
      'src/option-checks/secret-rules.test.ts': [
        '%s is refused at the start, with the command that makes one',
        'one of 16 to 31 characters starts with a warning, so that applications can move',
      ],
    },
    'D-200': {
      'tests/package/peers.test.ts': ['a passkey names the versions that work, beside %s'],
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
    'D-225': { 'tests/peers/departures.test.ts': ['D-225: a profile with the address %j'] },
    'D-226': {
      'tests/peers/departures.test.ts': [
        'D-226: an update of the session calls no `redirect` callback, and sets no callback-URL cookie',
      ],
    },
    'D-227': { 'tests/http/errors.test.ts': ['sends the browser to ${at}, and is in the log'] },
    'D-228': {
      'tests/http/actions.test.ts': [
        "that gives ${JSON.stringify(answer) ?? 'nothing'} leads to the site itself",
      ],
    },
    'D-229': {
      'src/verifier/jwt.test.ts': ['fail for ${what}', 'fail for a token that has expired'],
    },
    'D-230': {
      'tests/attacks/redirects.test.ts': [
        'as the answer of the `signIn` callback, which the application took from the visitor',
      ],
    },
    'D-231': {
      'tests/peers/departures.test.ts': [
        'D-231: functions that seal tokens get no `encode` and no `decode`',
      ],
    },
    'D-232': {
      'src/option-checks/validate.test.ts': ['${name} is refused as ${JSON.stringify(config)}'],
    },
    'D-233': {
      'tests/attacks/transactions.test.ts': [
        'the target of a sign-in is its own, not that of a later one',
      ],
    },
    'D-234': { 'src/http/cookies/csrf-token.test.ts': ['a third part'] },
    'D-235': {
      'src/option-checks/validate.test.ts': ['with a secret of bytes'],
      'src/verifier/jwt.test.ts': ['take a secret of bytes, which is the same as its text'],
    },
    'D-236': {
      'src/verifier/jwt.test.ts': [
        'encode refuses ${inspect(token)}, which holds no claims',
        'encode refuses the maxAge ${String(maxAge)}, with which a token would never end',
      ],
    },
    'D-237': {
      'src/option-checks/validate.test.ts': ['without authorize'],
      'tests/contracts/mail-services.test.ts': ['needs its key, which the start checks'],
    },
    'D-238': { 'src/integrations/next.test.ts': ['no handler, page or proxy continues'] },
    'D-239': {
      'tests/attacks/claimed-addresses.test.ts': [
        'stays with who made a passkey after %s sign-in that proved it',
      ],
    },
    'D-255': {
      'tests/http/unknown-pages.test.ts': [
        '%s is a page with 404 in a browser, which leads to the sign-in page',
        '%s leads to the sign-in page',
      ],
    },
    'D-260': {
      'src/store/store.test.ts': ['PAIR-2: an id that is no plain number is never converted: %j'],
    },
    'D-262': {
      'src/plugins/sessions/tests/callbacks.test.ts': [
        'leaves the session named: it is listed, and ends with all of its user',
      ],
    },
    'D-263': {
      'src/plugins/sessions/tests/callbacks.test.ts': ['without a change writes nothing, %s'],
    },
    'D-270': { 'tests/peers/departures.test.ts': ['D-270: of OAuth and OpenID Connect'] },
    'D-271': {
      'tests/peers/catalogue.test.ts': ['%s: the authorization request, and who signed in'],
    },
    'D-272': {
      'tests/peers/departures.test.ts': [
        'D-272: fields tell browsers what to fill in, and how to type it',
      ],
    },
    'D-273': {
      'tests/peers/departures.test.ts': [
        'D-273: an error that is made of another one has its text',
      ],
    },
    'D-274': {
      'tests/peers/departures.test.ts': [
        'D-274: an account is looked for once more before a sign-in by a known address is refused',
      ],
    },
    'D-275': { 'tests/peers/departures.test.ts': ['D-275: no mail to %s'] },
    'D-276': {
      'tests/peers/departures.test.ts': [
        'D-276: classes of errors have no static `kind`, and the base has a type',
      ],
    },
    'D-277': { 'tests/peers/departures.test.ts': ['D-277: of mail'] },
    'D-278': {
      'tests/peers/departures.test.ts': [
        'D-278: an endpoint that is no URL fails when it is used: %s',
        'D-278: an issuer that is no URL fails at the start',
      ],
    },
    'D-279': { 'tests/peers/departures.test.ts': ['D-279: `jwt.encode` that returns %j'] },
    'D-280': {
      'tests/peers/departures.test.ts': [
        'D-280: a callback URL with a user name is replaced by the origin',
      ],
    },
    'D-281': {
      'tests/peers/catalogue.test.ts': ['%s: the authorization request, and who signed in'],
      'tests/contracts/provider-options.test.ts': [
        'a picture that cannot be had keeps nobody out',
        'one that the network loses is told of in a warning, one that nobody has is not',
      ],
    },
    'D-282': { 'tests/peers/departures.test.ts': ['D-282: `status` of raw answers'] },
    'D-283': {
      'tests/peers/departures.test.ts': [
        'D-283: `maxAge: 0` of a mail provider is a configuration error',
      ],
    },
    'D-284': {
      'tests/peers/departures.test.ts': [
        'D-284: a provider without `clientId` is warned of, and begins no sign-in',
      ],
    },
    'D-02': { 'tests/http/actions.test.ts': ['is not written to'] },
    'D-292': {
      'tests/http/refused-users.test.ts': [
        'responds with 403 and a page, and not with the sign-in page',
      ],
    },
    'D-290': {
      'tests/http/repeated-cookies.test.ts': [
        '${strategy}: the one that is valid counts, wherever it is',
        'a new one replaces those that cannot be opened',
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
    'D-320': { 'tests/http/arguments.test.ts': ['signIn with %s names the ids'] },
    'D-314': {
      'src/client/client.test.ts': [
        'is seldom the default one: with %s it is that of the framework',
        'ends `loading` with an error that names both paths, and stops the requests',
      ],
    },
    'D-312': {
      'src/providers/nodemailer.test.ts': [
        'needs a server and a sender, unless the application sends itself',
      ],
    },
    'D-313': {
      'tests/http/email.test.ts': ['APP-6: the provider has a sender, configured or not'],
    },
    'D-285': { 'tests/peers/departures.test.ts': ['D-285: the issuer of %s is used as it is'] },
  }
