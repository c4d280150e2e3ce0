import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Axis, type Chart, type Line, plot, ticksTo } from './plot.ts'
import type { StoreName } from './stores.ts'
import { LIMIT, type Step, saturation } from './summary.ts'

/** A ramp that was climbed. */
export interface Ramp {
  readonly store: StoreName
  readonly instances: number
  /** How many people the store knows. */
  readonly people: number
  /** How many of them read their session. */
  readonly active: number
  readonly steps: readonly Step[]
}

const readme = fileURLToPath(new URL('../README.md', import.meta.url))
const image = fileURLToPath(new URL('../load.svg', import.meta.url))
const [BEGIN, END] = ['<!-- load -->', '<!-- end of load -->']

/** Puts the results into the README of the benchmarks, and the plot beside it. */
export function writeResults(ramps: readonly Ramp[]): void {
  const text = readFileSync(readme, 'utf8')
  const [before, after] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  if (after < before) throw new Error(`${readme} has no place for the load test`)
  writeFileSync(readme, `${text.slice(0, before)}\n\n${results(ramps)}\n\n${text.slice(after)}`)
  writeFileSync(image, drawing(ramps))
}

/** The results as Markdown. */
export function results(ramps: readonly Ramp[]): string {
  const { instances, growth } = partsOf(ramps)
  const [first] = instances
  const others = ramps
    .map((ramp) => saturation(ramp.steps)?.shares['others'])
    .filter((share) => share !== undefined && !Number.isNaN(share)) as number[]
  const made = `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus()[0]?.model.trim()}, ${cpus().length} processors for everything`
  return [
    `${made}. Other work on the machine took ${percents(others)} of the processors at saturation.`,
    '![The 99th percentile over the offered rate, and the saturation over the number of users](load.svg)',
    ...(first
      ? [
          `With ${first.people.toLocaleString('en')} users:`,
          table(
            [
              ['store', ({ store }) => store],
              ['instances', (ramp) => String(ramp.instances), 'right'],
              ...MEASURED,
              [
                'of the processors: instances, store, driver, provider',
                atStep(({ shares }) => sharesOf(shares)),
                'right',
              ],
            ],
            instances,
          ),
        ]
      : []),
    'As users grow many, one instance:',
    table(
      [
        ['store', ({ store }) => store],
        ['users and sessions', ({ people }) => people.toLocaleString('en'), 'right'],
        ['of them reading', ({ active }) => active.toLocaleString('en'), 'right'],
        ...MEASURED.filter(([name]) => name !== 'for each instance'),
      ],
      growth,
    ),
  ].join('\n\n')
}

type Column = readonly [
  name: string,
  cell: (ramp: Ramp, at: Step | undefined) => string,
  align?: 'right',
]

/** A cell that has something of the step at saturation. */
function atStep(cell: (at: Step, ramp: Ramp) => string): Column[1] {
  return (ramp, at) => (at ? cell(at, ramp) : 'none')
}

const MEASURED: readonly Column[] = [
  ['saturation, requests a second', atStep((at) => String(Math.round(at.achieved))), 'right'],
  [
    'for each instance',
    atStep((at, ramp) => String(Math.round(at.achieved / ramp.instances))),
    'right',
  ],
  ['p50, ms', atStep(({ p50 }) => number(p50)), 'right'],
  ['p99, ms', atStep(({ p99 }) => number(p99)), 'right'],
  [
    'p99 of reads, callbacks, sign-ins',
    atStep(({ p99Of }) => [p99Of.read, p99Of.callback, p99Of.signin].map(number).join(', ')),
    'right',
  ],
  [
    'processor time of instances, ms a request',
    atStep(({ cpu }) => (cpu === undefined ? '–' : cpu.toFixed(2))),
    'right',
  ],
  ['errors', (ramp) => errorsOf(ramp), 'right'],
]

function table(columns: readonly Column[], ramps: readonly Ramp[]): string {
  const rows = ramps.map((ramp) => {
    const at = saturation(ramp.steps)
    return columns.map(([, cell]) => cell(ramp, at))
  })
  return [
    columns.map(([name]) => name),
    columns.map(([, , align]) => (align === 'right' ? '---:' : '---')),
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Wrong answers at all steps up to saturation. */
function errorsOf({ steps }: Ramp): string {
  const end = saturation(steps)?.offered ?? 0
  const counted = steps.filter(({ offered }) => offered <= end)
  const sum = (of: (step: Step) => number): number =>
    counted.reduce((total, step) => total + of(step), 0)
  return `${sum(({ errors }) => errors)} of ${sum(({ requests }) => requests)}`
}

function sharesOf(shares: Step['shares']): string {
  const store = (shares['PostgreSQL'] ?? 0) + (shares['Redis'] ?? 0)
  return [shares['instances'], store, shares['driver'], shares['provider']]
    .map((share) => (share === undefined || Number.isNaN(share) ? '–' : percent(share)))
    .join(', ')
}

/** The rows of the first table, and of the second. */
function partsOf(ramps: readonly Ramp[]): { instances: Ramp[]; growth: Ramp[] } {
  const people = ramps.find(({ instances }) => instances > 1)?.people
  return {
    instances: ramps.filter((ramp) => ramp.people === people),
    growth: ramps.filter(({ instances }) => instances === 1),
  }
}

/** The plot: for each store the instances, then the growth of both. */
function drawing(ramps: readonly Ramp[]): string {
  const { instances, growth } = partsOf(ramps)
  const stores = [...new Set(ramps.map(({ store }) => store))]
  const fastest = Math.max(...instances.flatMap(({ steps }) => steps.map(({ offered }) => offered)))
  const rates: Axis = {
    name: 'requests offered in a second',
    ticks: ticksTo(fastest),
    scale: 'linear',
  }
  const times: Axis = {
    name: 'p99, milliseconds',
    ticks: [1, 3, 10, 30, 100, 300, 1000],
    scale: 'logarithmic',
  }
  const charts: Chart[] = stores.map((store) => ({
    title: store,
    x: rates,
    y: times,
    mark: { at: LIMIT, name: `${LIMIT} ms` },
    lines: instances
      .filter((ramp) => ramp.store === store)
      .map((ramp) => ({
        name: `${ramp.instances} ${ramp.instances === 1 ? 'instance' : 'instances'}`,
        points: ramp.steps.map(({ offered, p99 }) => [offered, p99] as const),
      })),
  }))
  const few = growth.filter(
    ({ active }) => active === Math.min(...growth.map((each) => each.active)),
  )
  const lines: Line[] = stores.map((store) => ({
    name: store,
    points: few
      .filter((ramp) => ramp.store === store)
      .map((ramp) => [ramp.people, saturation(ramp.steps)?.achieved ?? 0] as const),
  }))
  const users = [...new Set(few.map(({ people }) => people))].toSorted((a, b) => a - b)
  const growing: Chart = {
    title: 'One instance, as users grow many',
    x: {
      name: 'users and sessions',
      ticks: users.length > 1 ? users : [...users, (users[0] ?? 1) * 10],
      scale: 'logarithmic',
      label: (value) => `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'[Math.round(Math.log10(value))]}`,
    },
    y: {
      name: 'saturation, requests a second',
      ticks: ticksTo(Math.max(...lines.flatMap(({ points }) => points.map(([, rate]) => rate)))),
      scale: 'linear',
    },
    lines,
  }
  return plot(
    [...charts, growing],
    'Three charts: the 99th percentile over the offered rate with PostgreSQL, the same with PostgreSQL and Redis, and the rate at saturation over the number of users. The tables have the same numbers.',
  )
}

function percents(shares: readonly number[]): string {
  if (shares.length === 0) return 'an unknown part'
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map(percent)
  return least === most ? (least ?? '') : `${least} to ${most}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function number(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2)
}
