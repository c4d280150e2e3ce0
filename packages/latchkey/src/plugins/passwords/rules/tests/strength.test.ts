import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { describe, expect, test } from 'vitest'
import { createStrengthMeter, type StrengthEstimator } from '../strength.ts'

describe('the strength meter (PW-10)', () => {
  test.each([
    ['', 0, ['too_short']],
    ['horse', 0, ['too_short']],
    ['correct horse', 1, ['too_short']],
    ['correct horse b', 3, []],
    ['correct horse battery', 4, []],
    ['abcdefghijklmnop', 0, ['expected', 'more_words']],
    ['a'.repeat(257), 0, ['too_long', 'expected', 'more_words']],
  ])('measures the length of %j without an estimator', async (password, score, advice) => {
    const acceptable = !advice.some((each) => each !== 'more_words')
    expect(await createStrengthMeter()(password)).toEqual({ score, acceptable, advice })
  })

  test('uses @zxcvbn-ts/core, which is loaded once, when something is typed', async () => {
    let loads = 0
    const load = async (): Promise<StrengthEstimator> => {
      loads++
      return new ZxcvbnFactory({ dictionary: { words: ['correct', 'horse'] } })
    }
    const meter = createStrengthMeter({ load })
    expect(loads).toBe(0)
    const weak = await meter('horse horse horse')
    const strong = await meter('qp4 vt9 kzu 7wm xr2')
    expect(loads).toBe(1)
    expect(weak).toMatchObject({ acceptable: true, advice: ['more_words'] })
    expect(weak.score).toBeLessThan(3)
    expect(strong).toEqual({ score: 4, acceptable: true, advice: [] })
  })

  test('knows the words of the user and the rules of the site', async () => {
    const load = async () => new ZxcvbnFactory()
    const meter = createStrengthMeter({ load, minLength: 8, email: 'ada.byron@example.com' })
    expect(await meter('ada.byron1')).toMatchObject({ score: 0, acceptable: false })
    expect((await meter('8 chars.')).acceptable).toBe(true)
  })

  test('measures the length if the estimator cannot be loaded', async () => {
    const load = () => Promise.reject(new Error('offline'))
    expect(await createStrengthMeter({ load })('correct horse battery')).toMatchObject({ score: 4 })
  })
})
