/**
 * How much the service does before it is slow. See README.md.
 *
 *     npm run bench:load [-- --quick] [-- --write]
 *
 * Instances of the built service, the provider, PostgreSQL, Redis and this process, the driver, share the machine.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { climb } from './load/ramp.ts'
import { type Ramp, results, writeResults } from './load/report.ts'
import { migrate, startSite } from './load/site.ts'
import { createLoadStore, type LoadStore, type StoreName } from './load/stores.ts'
import { type Step, seeded } from './load/summary.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const STORES: readonly StoreName[] = ['PostgreSQL', 'PostgreSQL and Redis']
/** How many people read their sessions, unless everybody does. */
const ACTIVE = 1000
/** Seconds of a step, and how much faster each is than the one before. */
const [SECONDS, FACTOR] = values.quick ? [1.5, 1.5] : [4, 1.2]

/** How many people there are, and the ramps that are climbed then. */
interface Stage {
  readonly people: number
  readonly ramps: readonly { readonly instances: number; readonly active: number }[]
}

const STAGES: readonly Stage[] = values.quick
  ? [{ people: 1000, ramps: [1, 2].map((instances) => ({ instances, active: ACTIVE })) }]
  : [
      { people: 1000, ramps: [{ instances: 1, active: ACTIVE }] },
      { people: 100_000, ramps: [1, 2, 4].map((instances) => ({ instances, active: ACTIVE })) },
      {
        people: 1_000_000,
        ramps: [
          { instances: 1, active: ACTIVE },
          { instances: 1, active: 1_000_000 },
        ],
      },
    ]

const ramps: Ramp[] = []
build()
await using opened = new AsyncDisposableStack()
// Databases and processes must not be left behind.
process.once('SIGINT', () => void opened.disposeAsync().finally(() => process.exit(130)))
const directory = mkdtempSync(join(tmpdir(), 'latchkey-load-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const name of STORES) await measureStore(name)
console.log(`\n${results(ramps)}`)
if (values.write) writeResults(ramps)

function build(): void {
  const tool = fileURLToPath(new URL('../tools/build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [tool], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

async function measureStore(name: StoreName): Promise<void> {
  await using stack = new AsyncDisposableStack()
  opened.defer(() => stack.disposeAsync())
  const store = stack.use(await createLoadStore(name, migrate))
  for (const { people, ramps: planned } of STAGES) {
    const begun = performance.now()
    await store.fill(people)
    const took = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`\n${name}: ${people.toLocaleString('en')} users (${took} s)`)
    for (const { instances, active } of planned) {
      const steps = await measureSite(store, { people, instances, active })
      ramps.push({ store: name, people, instances, active, steps })
    }
  }
}

async function measureSite(
  store: LoadStore,
  { people, instances: count, active }: Omit<Ramp, 'store' | 'steps'>,
): Promise<Step[]> {
  await using stack = new AsyncDisposableStack()
  opened.defer(() => stack.disposeAsync())
  const site = stack.use(await startSite({ count, directory, env: store.env }))
  console.log(`instances: ${count}, people who read: ${active.toLocaleString('en')}`)
  return await climb({
    instances: site.instances,
    people,
    active,
    seconds: SECONDS,
    factor: FACTOR,
    random: seeded(1),
    processes: async () => ({ ...site.processes, ...(await store.processes()) }),
    say: (step) => console.log(`  ${lineOf(step)}`),
  })
}

function lineOf({
  offered,
  achieved,
  p50,
  p99,
  p99Of,
  cpu,
  errors,
  requests,
  shares,
}: Step): string {
  const parts = Object.entries(shares).map(([name, share]) => `${name} ${Math.round(share * 100)}%`)
  const times = [p50, p99, p99Of.read, p99Of.callback, p99Of.signin]
    .map((time) => time.toFixed(1))
    .join(' ')
  return `${offered}/s: ${achieved.toFixed(0)}/s; p50, p99, of reads, callbacks, sign-ins: ${times} ms; ${cpu?.toFixed(2)} ms of processor; ${errors} of ${requests} wrong; ${parts.join(', ')}`
}
