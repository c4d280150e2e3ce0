import { describe, expect, test } from 'vitest'
import { edges } from './flows.ts'
import { flowsFigures, flowsPage } from './page.ts'
import { visited, Walk } from './walk.ts'

/** Once everybody is known less can happen, so there are several walks, each in a world of its own. */
const WALKS = 20
const STEPS = 510

describe('the model of sign-ins and sessions', () => {
  test.each(['jwt', 'database'] as const)(
    `T-FLOW-1: agrees with the library in ${WALKS * STEPS} random steps of three browsers, with %s sessions`,
    async (strategy) => {
      const first = Number(process.env['WALK_SEED'] ?? 1)
      for (let seed = first; seed < first + WALKS; seed++) {
        const walk = new Walk(strategy, seed)
        await walk.begin()
        for (let step = 0; step < STEPS; step++) {
          try {
            await walk.step()
          } catch (error) {
            const where = `step ${step} with WALK_SEED=${seed} departs from the model`
            throw new Error(where, { cause: error })
          }
        }
        expect(walk.judged).toBeGreaterThan(STEPS / 2)
      }
    },
    // Several times as long as on an idle machine.
    300_000,
  )

  test('T-FLOW-1: has no transition that the walk did not take', () => {
    const missed = edges.filter((edge) => !visited.has(edge))
    expect(missed).toEqual([])
  })

  test('is the one on the page of the docs', async () => {
    await expect(flowsPage(edges)).toMatchFileSnapshot('../../../../docs/explanation/flows.md')
  })

  test.each(flowsFigures(edges))('is the one in the figure %s of the docs', async (file, svg) => {
    await expect(svg).toMatchFileSnapshot(`../../../../docs/explanation/${file}`)
  })
})
