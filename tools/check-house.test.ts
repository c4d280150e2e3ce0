import { expect, test } from 'vitest'
import { faultsOf, lookAt, tableOf } from './check-house.ts'

const lines = (count: number): string => '\n'.repeat(count)

test('counts files outside of a room, and large functions and interfaces', () => {
  const members = Array.from({ length: 21 }, (_, at) => `m${at}: string`).join('\n')
  const house = lookAt([
    { path: 'index.ts', text: 'export {}\n' },
    {
      path: 'base/long.ts',
      text: `export function long() {${lines(150)}}\nconst brief = () => {${lines(149)}}\n`,
    },
    { path: 'plan/plan.ts', text: `interface Plan { ${members} }\n` },
    { path: 'protocols/message.ts', text: `interface Message { ${members} }\n` },
    {
      path: 'http/kept.ts',
      text: 'const a = new WeakMap<SiteRequest, string>()\nconst b = new WeakMap<Plan, string>()\n',
    },
    {
      path: 'base/slot.ts',
      text: "const slot = Symbol.for('latchkey.slot')\nconst other = Symbol.for('skip')\n",
    },
  ])
  expect(house.inNoRoom).toEqual(['index.ts'])
  expect(house.longFunctions).toEqual([{ path: 'base/long.ts', line: 1, name: 'long', size: 151 }])
  expect(house.largeInterfaces).toEqual([{ path: 'plan/plan.ts', line: 1, name: 'Plan', size: 21 }])
  expect(house.mapsOfRequests).toEqual([
    { path: 'http/kept.ts', line: 1, name: 'WeakMap', size: 0 },
  ])
  expect([...house.slots]).toEqual(['latchkey.slot'])

  expect(faultsOf(house, '| `latchkey.gone` | nobody |\n')).toEqual([
    'index.ts: a source stands in a room',
    'plan/plan.ts:1: the interface Plan has 21 members, 20 at most; group them',
    'http/kept.ts:1: a map must not have requests or events as its keys; hand the value on as an argument',
    'the page has no row for the symbol latchkey.slot',
    'the page has a row for the symbol latchkey.gone, which no source has',
    'the numbers of the page are others; run node tools/check-house.ts --write',
  ])
})

test('finds no fault in sources that follow the rules', () => {
  const house = lookAt([
    { path: 'base/slot.ts', text: "const slot = Symbol.for('latchkey.slot')\n" },
  ])
  expect(faultsOf(house, `| \`latchkey.slot\` | all |\n\n${tableOf(house)}\n`)).toEqual([])
})
