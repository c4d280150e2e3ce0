import { describe, expect, test } from 'vitest'
import { type HashSettingsOptions, hashSettingsOf } from '../hash-settings.ts'

/** A list of other systems, as JavaScript may pass it. */
function foreign(list: unknown): HashSettingsOptions {
  return { foreign: list } as HashSettingsOptions
}

const system = { id: 'mine', matches: () => true, verify: async () => true }

describe('options of hashing', () => {
  test('have the defaults of PW-11 and PW-16', () => {
    expect(hashSettingsOf({})).toEqual({
      hash: { memory: 19_456, passes: 2, parallelism: 1 },
      hashing: { maxMemory: 262_144, concurrency: undefined, queue: 256, patience: 5 },
      foreign: [],
      dummy: 'own',
    })
  })

  test.each<[string, HashSettingsOptions]>([
    ['the least memory', { hash: { memory: 7168, passes: 5 } }],
    ['one pass', { hash: { memory: 35_840, passes: 1 } }],
    ['1 GiB', { hash: { memory: 1_048_576 }, hashing: { maxMemory: 1_048_576 } }],
    ['no queue', { hashing: { queue: 0, concurrency: 1, patience: 0.5 } }],
  ])('accept %s (PW-11)', (_, options) => {
    expect(() => hashSettingsOf(options)).not.toThrow()
  })

  test.each<[string, HashSettingsOptions, string]>([
    ['too little memory', { hash: { memory: 7167, passes: 10 } }, '`hash.memory` must be a whole'],
    ['more than 1 GiB', { hash: { memory: 1_048_577 } }, '`hash.memory` must be a whole'],
    ['a half KiB', { hash: { memory: 19_456.5 } }, 'got 19456.5'],
    ['no pass', { hash: { passes: 0 } }, '`hash.passes` must be a whole number from 1 to 20'],
    ['too little work', { hash: { memory: 8192, passes: 4 } }, 'set `hash.passes` to 5 or more'],
    ['no lane', { hash: { parallelism: 0 } }, '`hash.parallelism` must be'],
    ['memory for no hash', { hashing: { maxMemory: 10_000 } }, '`hashing.maxMemory` must be'],
    ['no parallel work', { hashing: { concurrency: 0 } }, '`hashing.concurrency` must be'],
    ['a negative queue', { hashing: { queue: -1 } }, '`hashing.queue` must be'],
    ['no patience', { hashing: { patience: 0 } }, '`hashing.patience` must be seconds'],
    ['a system that is no list', foreign(system), '`foreign` must be a list'],
    [
      'a system without a name',
      foreign([{ ...system, id: 'My system' }]),
      '`foreign[0].id` must be',
    ],
    [
      'a system without methods',
      foreign([{ id: 'mine' }]),
      '`foreign[0].matches` must be a function',
    ],
    ['a system twice', foreign([system, system]), '`foreign` has "mine" twice'],
    ['an unknown dummy', { dummy: 'none' } as never, "`dummy` must be 'own' or 'foreign'"],
    ['a dummy of no system', { dummy: 'foreign' }, 'needs a first entry of `foreign`'],
  ])('refuse %s at the start', (_, options, message) => {
    expect(() => hashSettingsOf(options)).toThrow(message)
    expect(() => hashSettingsOf(options)).toThrow('configuration.md#the-plugin-passwords')
  })
})
