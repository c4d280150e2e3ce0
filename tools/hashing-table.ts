/**
 * Measures password hashes on this machine, one at a time, and makes the table of docs/explanation/hashing-passwords.md:
 * what they cost with 1, 2, 4 and 8 processors like those of this machine.
 *
 *     node --conditions=source tools/hashing-table.ts            prints the table
 *     node --conditions=source tools/hashing-table.ts --write    writes it into the page
 */
import { argon2, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hashSettingsOf } from '../packages/latchkey/src/plugins/passwords/hashing/hash-settings.ts'
import { turnLimitsOf } from '../packages/latchkey/src/plugins/passwords/hashing/turn-limits.ts'

const page = fileURLToPath(new URL('../docs/explanation/hashing-passwords.md', import.meta.url))
const [BEGIN, END] = [
  '<!-- costs, as tools/hashing-table.ts measures them -->',
  '<!-- end of costs -->',
]

/** The least memory, the default, and what a machine with time to spare may take. */
const choices = [
  { memory: 7168, passes: 5 },
  { memory: 19_456, passes: 2 },
  { memory: 65_536, passes: 3 },
] as const
const RUNS = 9
const CROWD = 100

const compute = promisify(argon2)

async function measure({ memory, passes }: (typeof choices)[number]): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now()
    await compute('argon2id', {
      message: randomBytes(20),
      nonce: randomBytes(16),
      memory,
      passes,
      parallelism: 1,
      tagLength: 32,
    })
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
}

async function table(): Promise<string> {
  const rows: string[] = []
  for (const choice of choices) {
    const milliseconds = await measure(choice)
    const { hash, hashing } = hashSettingsOf({ hash: choice })
    for (const processors of [1, 2, 4, 8]) {
      const pool = Math.max(4, processors + 1)
      const parallel = Math.min(processors, pool - 1)
      const { concurrency } = turnLimitsOf({ hash, hashing }, { parallel })
      const cells = [
        `${choice.memory} KiB, ${choice.passes}`,
        processors,
        `${Math.round(milliseconds)} ms`,
        concurrency,
        `${Math.round((concurrency * choice.memory) / 1024)} MiB`,
        Math.round((concurrency * 1000) / milliseconds),
        `${((Math.ceil(CROWD / concurrency) * milliseconds) / 1000).toFixed(1)} s`,
      ]
      rows.push(`| ${cells.join(' | ')} |`)
    }
  }
  const model = cpus()[0]?.model ?? 'unknown'
  return [
    `Measured with Node.js ${process.version} on a machine with ${availableParallelism()} processors (${model.replaceAll(/\(\w+\)/g, '').trim()}).`,
    '',
    `| memory, passes | processors | one hash | at once | memory at once | sign-ins a second | ${CROWD} at once take |`,
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

const made = await table()
if (process.argv.includes('--write')) {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`${page} has no place for the table`)
  writeFileSync(page, `${text.slice(0, before)}${BEGIN}\n\n${made}\n\n${text.slice(after)}`)
} else console.log(made)
