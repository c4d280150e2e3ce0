import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import {
  openRaceStore,
  type RaceStore,
  raceStoreNames,
} from '../../../../tests/support/race-stores.ts'

// The emulator of DynamoDB needs seconds for 50 writes.

describe.each(raceStoreNames)('12.1: races for a code on %s', (store) => {
  let shared: RaceStore
  beforeAll(async () => {
    shared = await openRaceStore(store, 'emailcode')
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  test('the right code, typed twice at once, begins one session', async () => {
    const site = emailCodeSite({ tries: 10 }, { adapter: shared.adapter() })
    const email = `twice-${store.toLowerCase()}@example.com`
    await site.send(email)
    const code = site.code()
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.verify(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('of 50 guesses at once, five are judged', async () => {
    const site = emailCodeSite({ limits: false }, { adapter: shared.adapter() })
    await site.send(`guess-${store.toLowerCase()}@example.com`)
    const wrong = site.wrong()
    const answers = await Promise.all(Array.from({ length: 50 }, () => site.verify(wrong)))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
  })
})
