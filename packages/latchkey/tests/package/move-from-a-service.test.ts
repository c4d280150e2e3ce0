import { createCipheriv, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash as bcrypt } from 'bcryptjs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PASSWORD, walkOf } from './walked-guide.ts'

const SIGNER = randomBytes(64)
const SALT = randomBytes(12)

/** The hash of Firebase: a key of scrypt encrypts the key of the project. */
function firebaseHash(password: string): string {
  const salt = Buffer.concat([SALT, Buffer.from('Bw==', 'base64')])
  const key = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 })
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(SIGNER), cipher.final()]).toString('base64')
}

const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'
const DATABASE = `latchkey_moved_${randomBytes(6).toString('hex')}`
const databaseUrl = Object.assign(new URL(SERVER), { pathname: DATABASE }).href

async function query(url: string, ...statements: readonly (readonly [string, unknown[]?])[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [text, values] of statements) await client.query(text, values)
  await client.end()
}

/** Makes the exports, as each service writes them, in a folder. */
async function writeExports(folder: string): Promise<void> {
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  const hashed = await bcrypt(PASSWORD, 4)
  write(
    'clerk.csv',
    [
      'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher',
      `user_ada,Ada,Lovelace,,Ada@example.com,,Ada@example.com,,,,,${hashed},bcrypt`,
      'user_bob,"Bob, the second",,,bob@example.com,,,bob@example.com,,,,,',
    ].join('\n'),
  )
  const identities = [
    { provider: 'auth0', user_id: 'ada', isSocial: false },
    { provider: 'github', user_id: 4711, isSocial: true },
  ]
  const ofAuth0 = { user_id: 'auth0|ada', email: 'ada@example.com', email_verified: true }
  write('auth0-users.json', `${JSON.stringify({ ...ofAuth0, name: 'Ada Lovelace', identities })}\n`)
  write(
    'auth0-hashes.json',
    `${JSON.stringify({ _id: { $oid: '60425d' }, email: 'ada@example.com', passwordHash: hashed })}\n`,
  )
  const github = { providerId: 'github.com', rawId: '4711', email: 'ada@example.com' }
  const ofFirebase = {
    localId: 'ada',
    email: 'ada@example.com',
    emailVerified: true,
    displayName: 'Ada Lovelace',
    passwordHash: firebaseHash(PASSWORD),
    salt: SALT.toString('base64'),
    providerUserInfo: [{ providerId: 'password', rawId: 'ada@example.com' }, github],
  }
  const byTelephone = { localId: 'bob', emailVerified: false, providerUserInfo: [] }
  write('users.json', JSON.stringify({ users: [ofFirebase, byTelephone] }))
  const salt = randomBytes(16)
  const value = pbkdf2Sync(PASSWORD, salt, 210_000, 64, 'sha512').toString('base64')
  const ofKeycloak = {
    id: 'c0ffee00-0000-4000-8000-000000000001',
    username: 'ada',
    email: 'ada@example.com',
    emailVerified: true,
    enabled: true,
    firstName: 'Ada',
    lastName: 'Lovelace',
    credentials: [
      {
        type: 'password',
        secretData: JSON.stringify({ value, salt: salt.toString('base64') }),
        credentialData: JSON.stringify({ hashIterations: 210_000, algorithm: 'pbkdf2-sha512' }),
      },
    ],
    federatedIdentities: [{ identityProvider: 'github', userId: '4711', userName: 'ada' }],
  }
  write('realm.json', JSON.stringify({ realm: 'acme', users: [ofKeycloak] }))
  await query(
    databaseUrl,
    ['CREATE SCHEMA auth'],
    [
      'CREATE TABLE auth.users (id uuid PRIMARY KEY, email text, email_confirmed_at timestamptz, encrypted_password text, raw_user_meta_data jsonb, deleted_at timestamptz)',
    ],
    ['CREATE TABLE auth.identities (user_id uuid, provider text, provider_id text)'],
    [
      `INSERT INTO auth.users VALUES ('c0ffee00-0000-4000-8000-000000000002', 'ada@example.com', now(), $1, '{"full_name":"Ada Lovelace"}')`,
      [hashed],
    ],
    [
      `INSERT INTO auth.identities SELECT id, unnest(ARRAY['email', 'github']), '4711' FROM auth.users`,
    ],
    ['CREATE TABLE emailpassword_users (user_id char(36), email text, password_hash text)'],
    ['CREATE TABLE emailverification_verified_emails (user_id varchar(128), email text)'],
    [
      'CREATE TABLE thirdparty_users (third_party_id text, third_party_user_id text, user_id char(36), email text)',
    ],
    [`INSERT INTO emailpassword_users VALUES ('ada', 'ada@example.com', $1)`, [hashed]],
    [`INSERT INTO emailverification_verified_emails VALUES ('ada', 'ada@example.com')`],
    [`INSERT INTO thirdparty_users VALUES ('github', '4711', 'bob', 'bob@example.com')`],
  )
}

const services = [
  { file: 'from-clerk.ts', id: 'user_ada', name: 'Ada Lovelace', account: null },
  { file: 'from-auth0.ts', id: 'auth0|ada', name: 'Ada Lovelace', account: 'ada@example.com' },
  { file: 'from-firebase.ts', id: 'ada', name: 'Ada Lovelace', account: 'ada@example.com' },
  {
    file: 'from-supabase.ts',
    id: 'c0ffee00-0000-4000-8000-000000000002',
    name: 'Ada Lovelace',
    account: 'ada@example.com',
  },
  {
    file: 'from-keycloak.ts',
    id: 'c0ffee00-0000-4000-8000-000000000001',
    name: 'Ada Lovelace',
    account: 'ada@example.com',
  },
  { file: 'from-supertokens.ts', id: 'ada', name: 200, account: 'bob@example.com' },
]

describe('docs/how-to/move-from-a-service.md, with an export as each service writes it', () => {
  const folder = join(inject('runFolder'), 'move-from-a-service')

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    await query(SERVER, [`CREATE DATABASE ${DATABASE}`])
    await writeExports(folder)
  })
  afterAll(() => query(SERVER, [`DROP DATABASE ${DATABASE} WITH (FORCE)`]))

  test.each(services)('people keep id, password and account with $file', async (service) => {
    const { file, id, name, account } = service
    const walk = walkOf('move-from-a-service', folder, file, ['auth.ts', 'import-user.ts', file])
    const exported = ['clerk.csv', 'auth0-users.json', 'auth0-hashes.json', 'users.json']
    for (const each of [...exported, 'realm.json'])
      symlinkSync(join(folder, each), join(walk.project, each))
    const env = {
      FIREBASE_SIGNER_KEY: SIGNER.toString('base64'),
      SUPABASE_URL: databaseUrl,
      SUPERTOKENS_URL: databaseUrl,
    }
    walk.run(file, env)
    // The second time, everybody is there.
    walk.run(file, env)
    expect(walk.look(env)).toEqual({ wrong: 401, right: name, id, account })
  })
})
