import { describe, expect, test } from 'vitest'
import { courses } from './courses.ts'
import { coveringArray } from './covering-array.ts'
import { agree, type Configuration, constraints, defaults, factors, groups } from './options.ts'
import { faultOf, shown, smallest, suits } from './play.ts'
import { siteOf } from './site.ts'

const configurations = coveringArray(factors, agree, groups) as unknown as readonly Configuration[]

test.each(configurations.map((choice) => [shown(choice), choice] as const))(
  'the start accepts %s',
  async (_, choice) => {
    const site = await siteOf(choice)
    expect(site.fault()).toBeUndefined()
    await site.close()
  },
)

/** What the table says that the start refuses: a value without what it needs, beside all else that it needs. */
const refused = constraints.flatMap(({ factor, values, needs, among, otherwise }) =>
  values.flatMap((value) => {
    const others = constraints
      .filter((each) => each.factor === factor && each.values.includes(value))
      .map((each) => [each.needs, each.among[0]])
    return factors[needs]
      .filter((other) => otherwise === 'refused' && !among.includes(other))
      .map((other) => ({ ...Object.fromEntries(others), [factor]: value, [needs]: other }))
  }),
)

test.each(refused)('the start refuses %j', async (values) => {
  const refusal = await siteOf({ ...defaults, ...values } as Configuration)
    .then((site) => site.fault())
    .catch(String)
  expect(refusal).toEqual(expect.any(String))
})

describe.each(Object.keys(courses))('%s', (course) => {
  test.each(
    configurations
      .filter((choice) => suits(course, choice))
      .map((choice) => [shown(choice), choice] as const),
  )('holds for the configuration %s', async (_, choice) => {
    const fault = await faultOf(course, choice)
    if (fault === undefined) return
    const small = await smallest(course, choice)
    expect.fail(`${shown(small)}: ${await faultOf(course, small)}`)
  })
})
