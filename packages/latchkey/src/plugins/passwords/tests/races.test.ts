import { randomBytes } from 'node:crypto'
import { createPool } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startDynamoDB,
  type TestDynamoDB,
  withTransactions,
} from '../../../../tests/support/dynamodb.ts'
import {
  GOOD,
  OTHER,
  type PasswordsSite,
  passwordsSite,
} from '../../../../tests/support/passwords-site.ts'
import { sharedStores, storeNames } from '../../../../tests/support/shared-stores.ts'
import { dynamoDBAdapter } from '../../../adapters/dynamodb/index.ts'
import { mariadb, migrate, sqlAdapter } from '../../../adapters/sql/index.ts'
import { mysql2Store } from '../../../adapters/sql/mysql2.ts'
import type { Adapter } from '../../../model/adapter.ts'

const PARALLEL = 50
const database = `latchkey_passwords_${randomBytes(6).toString('hex')}`
const mysqlUrl = process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/test'

const shared = sharedStores('passwords')
const server = createPool(mysqlUrl)
const pool = createPool(Object.assign(new URL(mysqlUrl), { pathname: `/${database}` }).href)
let dynamodb: TestDynamoDB

beforeAll(async () => {
  await shared.open()
  await server.query(`CREATE DATABASE ${database}`)
  await migrate(mysql2Store(pool, mariadb), { records: true })
  dynamodb = await startDynamoDB()
})

afterAll(async () => {
  await shared.close()
  await pool.end()
  await server.query(`DROP DATABASE ${database}`)
  await server.end()
  await dynamodb[Symbol.asyncDispose]()
})

const stores: Readonly<Record<string, () => Promise<() => Adapter>>> = {
  ...Object.fromEntries(storeNames.map((name) => [name, async () => () => shared.adapter(name)])),
  MariaDB: async () => () => sqlAdapter(mysql2Store(pool, mariadb), { records: true }),
  DynamoDB: async () => {
    const tableName = await dynamodb.createTable()
    return () => dynamoDBAdapter(withTransactions(dynamodb.client), { tableName })
  },
}

let people = 0

/** Two processes with one store, and a person whom neither knows. */
async function twoProcesses(name: string): Promise<{
  first: PasswordsSite
  second: PasswordsSite
  email: string
}> {
  const adapterOf = await (stores[name] ?? stores['memory'])?.()
  const seed = ++people
  const make = (more: number): PasswordsSite =>
    passwordsSite(
      { limits: false },
      { adapter: adapterOf?.() as Adapter },
      { seed: seed * 2 + more },
    )
  return { first: make(0), second: make(1), email: `person-${seed}@example.com` }
}

/** Does the same many times at once, in turns in each process. */
async function atOnce(
  sites: readonly PasswordsSite[],
  work: (site: PasswordsSite, at: number) => Promise<Response>,
): Promise<number[]> {
  const all = Array.from({ length: PARALLEL }, (_, at) =>
    work(sites[at % sites.length] as PasswordsSite, at),
  )
  return (await Promise.all(all)).map(({ status }) => status)
}

const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length

describe.each(Object.keys(stores))('with the store %s, in two processes', (name) => {
  test('ACC-6, T-OTV-3: of many proofs of one sign-up with its code, one creates the user', async () => {
    const { first, second, email } = await twoProcesses(name)
    await first.json('password/sign-up', { email, password: GOOD })
    const code = first.code()
    const cookie = [...first.world.jar].map(([key, value]) => `${key}=${value}`).join('; ')
    const statuses = await atOnce([first, second], ({ world }) =>
      world.otherBrowser().request('/auth/password/verify', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
        body: JSON.stringify({ code }),
      }),
    )
    expect(countOf(statuses, 200)).toBe(1)
    expect(countOf(statuses, 400) + countOf(statuses, 409)).toBe(PARALLEL - 1)
    expect((await second.signIn(email, GOOD)).status).toBe(200)
  })

  test('PW-30: of many resets with one token, one sets the password', async () => {
    const { first, second, email } = await twoProcesses(name)
    await first.signUp(email)
    await first.json('password/forgot', { identifier: email })
    await first.settled()
    const token = new URL(first.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    const statuses = await atOnce([first, second], (site, at) =>
      site.json('password/reset', { token, password: `${OTHER} ${at}` }, site.world.otherBrowser()),
    )
    expect(countOf(statuses, 200)).toBe(1)
    const winner = statuses.indexOf(200)
    const browser = second.world.otherBrowser()
    expect((await second.signIn(email, `${OTHER} ${winner}`, browser)).status).toBe(200)
    expect((await second.signIn(email, GOOD, browser)).status).toBe(401)
  })

  test('PW-30: of resets with two tokens at once, one sets the password', async () => {
    const { first, second, email } = await twoProcesses(name)
    await first.signUp(email)
    const tokens: (string | null)[] = []
    for (const site of [first, second]) {
      await site.json('password/forgot', { identifier: email })
      await site.settled()
      const { searchParams } = new URL(site.link('password/reset'), 'https://app.example')
      tokens.push(searchParams.get('token'))
    }
    const statuses = await atOnce([first, second], (site, at) =>
      site.json(
        'password/reset',
        { token: tokens[at % 2], password: `${OTHER} ${at}` },
        site.world.otherBrowser(),
      ),
    )
    expect(countOf(statuses, 200)).toBe(1)
  })

  test('PW-33: of a reset and many changes at once, one wins, and its password works', async () => {
    const { first, second, email } = await twoProcesses(name)
    await first.signUp(email)
    await first.json('password/forgot', { identifier: email })
    await first.settled()
    const token = new URL(first.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    const statuses = await atOnce([first, second], (site, at) =>
      at === 0
        ? site.json(
            'password/reset',
            { token, password: `${OTHER} ${at}` },
            site.world.otherBrowser(),
          )
        : first.json('password/change', { current: GOOD, password: `${OTHER} ${at}` }),
    )
    expect(countOf(statuses, 200)).toBe(1)
    const winner = statuses.indexOf(200)
    const browser = second.world.otherBrowser()
    expect((await second.signIn(email, `${OTHER} ${winner}`, browser)).status).toBe(200)
    expect((await second.signIn(email, GOOD, browser)).status).toBe(401)
  })

  test('PW-14: a change stays when sign-ins replace the hash at the same time', async () => {
    const { first, second, email } = await twoProcesses(name)
    await first.signUp(email)
    const stronger = passwordsSite(
      { limits: false, hash: { memory: 8192, passes: 5 } },
      { adapter: second.world.config.adapter as Adapter },
      { seed: 900 + people },
    )
    const statuses = await atOnce([stronger], (site, at) =>
      at === 25
        ? first.json('password/change', { current: GOOD, password: OTHER })
        : site.signIn(email, GOOD, site.world.otherBrowser()),
    )
    // The faster one wins: the hash of the same password, or the new password.
    const isChanged = statuses[25] === 200
    expect(isChanged || statuses[25] === 409).toBe(true)
    const browser = second.world.otherBrowser()
    expect((await second.signIn(email, isChanged ? OTHER : GOOD, browser)).status).toBe(200)
    expect((await second.signIn(email, isChanged ? GOOD : OTHER, browser)).status).toBe(401)
  })
})
