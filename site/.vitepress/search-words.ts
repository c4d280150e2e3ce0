/**
 * What people type for a page and its text does not say: other names of the thing, names of other libraries, and
 * abbreviations. The search of the site finds the page by these words first.
 */

/** Paths on the site without ending, and the words, with commas between phrases. */
export const searchWords: Readonly<Record<string, string>> = {
  overview: 'docs, guides, getting started, login',
  'tutorials/first-application': 'quickstart, getting started, hello world, login example',
  'tutorials/accounts': 'accounts tutorial, sign up and mfa example, test accounts',
  'reference/accounts': 'audit log, audit events, security events, record kinds',
  'explanation/accounts':
    'asvs, owasp, enumeration, user enumeration, account lockout, amr, factors compared',
  'how-to/add-accounts':
    'sign up, signup, register, registration, create account, login, log in, login page, login form, user login, email and password, user management, verify email, email verification, confirm email, accounts()',
  'how-to/add-two-factor':
    'two factor, two-factor, 2fa, mfa, totp, otp, multi factor, authenticator app, google authenticator, recovery codes, backup codes, second factor, trust this device, remember device',
  'how-to/ask-for-a-proof-again':
    'reauthenticate, step up, sudo mode, confirm password, fresh session',
  'how-to/brand-the-pages':
    'theme, colors, colours, logo, dark mode, css, styling, look, custom design, customize login page, white label',
  'how-to/change-the-texts':
    'translate, translation, i18n, internationalization, localization, language, locale, german, french, spanish, arabic, rtl, wording, email templates',
  'how-to/check-passwords-yourself': 'credentials provider, authorize, ldap, own password check',
  'how-to/connect-to-a-fapi-provider': 'fapi, dpop, par, open banking, mtls',
  'how-to/end-a-session-at-once':
    'revoke session, revocation, invalidate session, kill session, force logout',
  'how-to/end-sessions-from-the-provider':
    'back-channel logout, backchannel, single logout, slo, logout token',
  'how-to/give-users-roles':
    'roles, role, rbac, permissions, admin, authorization, access control, guard',
  'how-to/import-password-hashes':
    'import users, migrate users, bcrypt, cognito, django, asp.net, password hashes',
  'how-to/move-from-a-service':
    'import users, import users from auth0, auth0, clerk, firebase, supabase, keycloak, supertokens, migrate users, migration',
  'how-to/leave-the-token-guide-behind': 'refresh token rotation, auth.js guide',
  'how-to/let-people-look-after-their-account':
    'account page, profile, change email, change address, change name, delete account, delete user, gdpr, export data, download data, link account, link google account, unlink account, account linking, connect account, delete passkey, passkey delete, remove passkey, manage passkeys, settings page',
  'how-to/let-the-provider-begin': 'idp initiated, third party initiated login, app launcher, tile',
  'how-to/limit-attempts':
    'rate limit, rate limiting, ratelimit, throttle, brute force, lockout, too many attempts, 429, ddos',
  'how-to/list-and-end-sessions':
    'sign out everywhere, log out everywhere, logout all devices, active sessions, devices, session management, revoke sessions, force logout',
  'how-to/move-from-auth-js':
    'next-auth, nextauth, next-auth 5, authjs, auth.js, migrate, migration',
  'how-to/move-from-next-auth-4':
    'next-auth 4, nextauth v4, getServerSession, withAuth, getToken, migrate',
  'how-to/move-from-better-auth': 'better-auth, better auth, betterauth, migrate',
  'how-to/move-from-lucia': 'lucia, lucia-auth, migrate',
  'how-to/move-from-passport': 'passport, passportjs, passport.js, express-session, migrate',
  'how-to/move-from-nuxt-auth': 'sidebase, nuxt-auth, migrate',
  'how-to/offer-api-keys':
    'api key, api keys, personal access token, secret key, machine to machine, m2m',
  'how-to/offer-user-names':
    'username, user name, usernames, handle, nickname, login with username',
  'how-to/preview-deployments':
    'vercel preview, preview url, netlify preview, branch deploy, redirect proxy',
  'how-to/protect-a-page':
    'protect route, protected route, protect page, private page, middleware, guard, require auth, require login, requireAuth, route guard, getSession, current user, authenticated',
  'how-to/protect-an-api':
    'bearer token, jwt, json web token, access token for api, jwks, verify jwt, api authentication, rest, graphql, microservice, resource server, authorization header',
  'how-to/rotate-the-secret':
    'AUTH_SECRET, NEXTAUTH_SECRET, rotate secret, change secret, key rotation, leaked secret',
  'how-to/run-at-the-edge': 'edge runtime, edge function, deno deploy, netlify edge, serverless',
  'how-to/run-in-docker':
    'docker, docker compose, docker-compose, dockerfile, container, podman, self host',
  'how-to/run-on-cloudflare-workers': 'cloudflare, workers, wrangler, d1, kv, durable objects',
  'how-to/run-on-vercel': 'vercel, serverless, deploy',
  'how-to/run-several-instances':
    'kubernetes, k8s, helm, cluster, replicas, load balancer, scale, horizontal scaling, high availability',
  'how-to/serve-several-tenants':
    'multi tenant, multi-tenant, multitenancy, saas, subdomain, tenants',
  'how-to/sign-in-by-mail':
    'magic link, email link, passwordless, smtp, nodemailer, resend, sendgrid, email provider, send mail',
  'how-to/sign-in-from-a-command-line':
    'cli, device flow, device code, device authorization, terminal',
  'how-to/sign-in-from-an-app':
    'mobile, mobile app, react native, expo, ios, android, swift, kotlin, flutter, electron, desktop app, native app, deep link',
  'how-to/sign-in-with-a-code':
    'email otp, one-time code, otp, verification code, email code, 6 digit code, passwordless',
  'how-to/sign-in-with-a-passkey':
    'passkey, passkeys, webauthn, fido2, touch id, face id, yubikey, security key, biometrics, windows hello, webauthn passkey',
  'how-to/sign-in-with-a-password':
    'forgot password, reset password, password reset, change password, credentials, email and password, login form, custom login page, own login page, custom sign in page, sign up form, password rules, password policy, login',
  'how-to/sign-out-of-the-provider':
    'logout, log out, sign out, signout, federated logout, end session, rp-initiated logout',
  'how-to/sign-up-by-invitation':
    'invite, invitation, invite only, allowlist, whitelist, closed beta, restrict registration',
  'how-to/store-sessions':
    'database, adapter, save users, persist users, user table, database sessions',
  'how-to/test-your-application':
    'testing, tests, e2e, playwright, cypress, vitest, jest, mock session, mock auth, unit test',
  'how-to/troubleshoot':
    'help, error, not working, problem, cors, redirect loop, redirect_uri_mismatch, proxy, cookie not set',
  'how-to/use-a-captcha': 'captcha, recaptcha, turnstile, hcaptcha, bot, bots, spam',
  'how-to/use-the-api-of-a-provider':
    'access token, refresh token, provider token, google calendar, call api, scopes, github api, offline access',
  'how-to/use-with-next':
    'nextjs, next.js, next, nextjs middleware, middleware, app router, pages router, server component, server actions, proxy.ts',
  'how-to/use-with-nuxt': 'nuxt, nuxt middleware, vue',
  'how-to/use-with-sveltekit': 'sveltekit, svelte, hooks',
  'how-to/use-with-a-single-page-application':
    'spa, vite, react app, create react app, cors, cross origin, trustedOrigins, proxy, separate frontend, frontend and backend',
  'how-to/manage-users-from-code':
    'create user, createUser, delete user, seed, admin, script, set password, server-side api, auth.api, list users, import users',
  'how-to/use-with-another-framework':
    'fastify, koa, nestjs, react router, remix, tanstack, elysia, h3',
  'how-to/add-a-provider':
    'custom provider, oauth provider, own oauth, oidc, openid connect, generic oauth',
  'how-to/write-a-plugin': 'plugin, extend, hooks, extension',
  'how-to/write-an-adapter': 'custom adapter, own database, adapter test',
  'reference/actions': 'endpoints, routes, rest api, /auth/signin, callback url',
  'reference/client':
    'useSession, signIn, signOut, react, vue, svelte, hook, SessionProvider, browser, javascript client, frontend, spa',
  'reference/configuration':
    'options, settings, environment variables, env, callbacks, redirect callback, redirect after login, AUTH_URL, maxAge, session length, events',
  'reference/cookies': 'cookie, samesite, session cookie, cookie name, jwe',
  'reference/errors': 'error codes, UntrustedHost, MissingSecret, OAuthCallbackError, AccessDenied',
  'reference/providers':
    'oauth providers, social login, social sign in, sso, login with, identity provider, oidc',
  'reference/schema': 'tables, sql schema, migration, columns, database schema',
  'reference/service': 'standalone, server, auth server, self hosted, microservice, latchkey serve',
  'reference/support': 'install, npm, version, node version, release, production ready, stability',
  'reference/adapters': 'databases, adapter, orm',
  'reference/adapters/sql':
    'postgres, postgresql, mysql, mariadb, sqlite, sql, kysely, libsql, turso, neon, supabase database',
  'reference/adapters/prisma': 'prisma, prisma adapter, prisma schema',
  'reference/adapters/drizzle': 'drizzle, drizzle orm',
  'reference/adapters/redis': 'redis, upstash, valkey',
  'reference/auth-js-adapters':
    'mongodb, mongo, mongoose, firestore, typeorm, sequelize, mikro-orm',
  'explanation/compare':
    'alternatives, vs, versus, clerk, auth0, better auth, comparison, supertokens, keycloak',
  'explanation/sessions':
    'session strategy, jwt, database session, sealed, stateless, jwt or database',
  'explanation/security': 'threat model, csrf, xss, security audit, owasp, vulnerabilities',
  'explanation/hashing-passwords': 'argon2, argon2id, scrypt, bcrypt, pepper, hash, nist, owasp',
  'explanation/what-is-not-here':
    'impersonate, impersonation, login as user, ban user, block user, disable user, suspend user, admin panel, admin dashboard, user list, organizations, organisation, teams, saml, enterprise sso, scim, directory sync, sms, phone number, anonymous user, guest, web3, wallet, ethereum, oidc provider, oauth server, identity provider, missing features, roadmap, limitations, multi session, stripe',
}
